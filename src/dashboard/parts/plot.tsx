import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { clock, count, moment } from "./format.ts";
import "uplot/dist/uPlot.min.css";

export interface Series {
  readonly name: string;
  /** The name of a colour of the style. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly label: string;
  /** Seconds since 1970, when each step begins. */
  readonly times: readonly number[];
  /** Seconds. */
  readonly step: number;
  readonly series: readonly Series[];
  /** Bars stand on each other, the first below. */
  readonly kind?: "bars" | "lines";
  readonly format?: (value: number) => string;
  /** Called with the range that was chosen by dragging. */
  readonly onRange?: (from: number, to: number) => void;
}

const HEIGHT = 180;
/** How far lines of the grid may be apart. */
const WHOLE = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((power) => [1, 2, 5].map((one) => one * 10 ** power));
const DAY = 86_400;

/** A day where it begins, else the time of day. */
function timeText(seconds: number): string {
  const time = new Date(seconds * 1000);
  if (time.getHours() + time.getMinutes() > 0) return clock(time.getTime());
  if (time.toDateString() === new Date().toDateString()) return "Today";
  return `${time.toLocaleDateString("en-US", { weekday: "short" })} ${time.getDate()}`;
}

function dayText(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
  });
}

/** Each series with those before it added. */
function stacked(series: readonly Series[]): readonly Series[] {
  const sums: number[] = [];
  return series.map((one) => ({
    ...one,
    values: one.values.map((value, at) => (sums[at] = (sums[at] ?? 0) + (value ?? 0))),
  }));
}

/** Numbers over time. They stand in tables, too, so the plot is a picture. */
export function Plot({ label, times, step, series, kind = "bars", format = count, onRange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: element } = box;
    if (element === null || times.length === 0) return undefined;
    const colour = (name: string): string =>
      getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    const axis = {
      stroke: () => colour("ink-3"),
      grid: { stroke: () => colour("line"), width: 1 },
      ticks: { show: false },
      font: `11.5px ${colour("sans")}`,
    };
    const isBars = kind === "bars";
    const bars = uPlot.paths.bars?.({ size: [0.8, 28], align: 1 });
    // The tallest is drawn first.
    const drawn = isBars ? stacked(series).toReversed() : series;
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    /** What is known about a moment, in words. */
    const told = (at: number | null | undefined): string => {
      const time = at == null ? undefined : times[at];
      if (at == null || time === undefined) return "";
      const when = step >= DAY ? dayText(time) : moment(time * 1000);
      const numbers = series.flatMap(({ name, values }) => {
        const value = values[at];
        return value == null ? [] : `${name} ${format(value)}`;
      });
      return [when, ...numbers].join(" · ");
    };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        padding: [10, 18, 0, 0],
        cursor: {
          y: false,
          points: { show: !isBars },
          drag: { x: onRange !== undefined, y: false, setScale: false },
        },
        scales: {
          x: { range: [first, isBars ? last + step : Math.max(last, first + step)] },
          y: { range: (_, __, most) => [0, Math.max((most ?? 0) * 1.1, isBars ? 4 : 1)] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 28,
            space: 70,
            values: (_, splits) =>
              splits.map((time) => (time > last ? "" : step >= DAY ? dayText(time) : timeText(time))),
          },
          {
            ...axis,
            size: (_, values) => 14 + 6.5 * Math.max(3, ...(values ?? []).map(({ length }) => length)),
            space: 30,
            // There is no half of a call.
            ...(format === count ? { incrs: WHOLE } : {}),
            values: (_, values) => values.map(format),
          },
        ],
        series: [
          {},
          ...drawn.map(({ name, colour: of }) => ({
            label: name,
            stroke: () => colour(of),
            points: isBars ? { show: false } : { show: true, size: 4, fill: () => colour(of) },
            ...(isBars ? { fill: () => colour(of), width: 0, paths: bars } : { width: 1.5 }),
          })),
        ],
        hooks: {
          setCursor: [
            ({ cursor }) => {
              if (readout.current !== null) readout.current.textContent = told(cursor.idx);
            },
          ],
          setSelect: [
            ({ select, posToVal }) => {
              if (select.width > 4)
                onRange?.(posToVal(select.left, "x"), posToVal(select.left + select.width, "x"));
            },
          ],
        },
      },
      [[...times], ...drawn.map(({ values }) => [...values])],
      element,
    );
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redraw = (): void => plot.redraw(true, true);
    dark.addEventListener("change", redraw);
    return () => {
      dark.removeEventListener("change", redraw);
      resize.disconnect();
      plot.destroy();
    };
  }, [times, series, step, kind, format, onRange]);
  return (
    <div class="card plot">
      <div ref={box} class="uplot-box" role="img" aria-label={label} />
      <div ref={readout} class="readout" aria-hidden="true" />
    </div>
  );
}

/** What the colours of a plot mean. */
export function Legend({ series }: { readonly series: readonly Pick<Series, "name" | "colour">[] }) {
  return (
    <div class="right legend">
      {series.map(({ name, colour }) => (
        <span key={name}>
          <i class="dot" style={{ background: `var(--${colour})` }} />
          {name}
        </span>
      ))}
    </div>
  );
}
