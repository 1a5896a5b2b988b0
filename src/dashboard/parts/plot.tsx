import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { clock } from "./format.ts";
import "uplot/dist/uPlot.min.css";

export interface Series {
  readonly name: string;
  /** The name of a colour of the style. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly label: string;
  /** Seconds since 1970, or positions when `ticks` names them. */
  readonly times: readonly number[];
  /** Drawn on top of each other: each has the ones before it added. */
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  /** Called with the range that was chosen by dragging. */
  readonly onRange?: (from: number, to: number) => void;
}

const HEIGHT = 190;

/** A day where it begins, else the time of day. */
function timeText(seconds: number): string {
  const time = new Date(seconds * 1000);
  if (time.getHours() + time.getMinutes() > 0) return clock(time.getTime());
  if (time.toDateString() === new Date().toDateString()) return "Today";
  return `${time.toLocaleDateString("en-US", { weekday: "short" })} ${time.getDate()}`;
}

/** Bars over time. Numbers stand in a table next to it, so the plot is a picture. */
export function Bars({ label, times, series, format = String, onRange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: element } = box;
    if (element === null || times.length === 0) return undefined;
    const colours = (): CSSStyleDeclaration => getComputedStyle(document.documentElement);
    const colour = (name: string): string => colours().getPropertyValue(`--${name}`).trim();
    const axis = {
      stroke: () => colour("ink-3"),
      grid: { stroke: () => colour("line"), width: 1 },
      ticks: { show: false },
      font: `11.5px ${colour("sans")}`,
    };
    const bars = uPlot.paths.bars?.({ size: [0.8, 22], align: 1 });
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: onRange !== undefined, y: false, setScale: false } },
        scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 4)] } },
        axes: [
          { ...axis, grid: { show: false }, size: 30, values: (_, splits) => splits.map(timeText) },
          { ...axis, size: 44, values: (_, values) => values.map(format) },
        ],
        series: [
          {},
          ...series.map(({ name, colour: of }) => ({
            label: name,
            fill: () => colour(of),
            stroke: () => colour(of),
            width: 0,
            points: { show: false },
            ...(bars === undefined ? {} : { paths: bars }),
          })),
        ],
        hooks: {
          setSelect: [
            ({ select, posToVal }) => {
              if (select.width > 4)
                onRange?.(posToVal(select.left, "x"), posToVal(select.left + select.width, "x"));
            },
          ],
        },
      },
      [[...times], ...series.map(({ values }) => [...values])],
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
  }, [times, series, format, onRange]);
  return <div ref={box} class="uplot-box" role="img" aria-label={label} />;
}
