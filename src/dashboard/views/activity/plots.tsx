import { useMemo } from "preact/hooks";
import type { HourFigures } from "../../../journal/activity/figures.ts";
import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { goWords } from "../../net/route.ts";
import { dollars, milliseconds, tokens } from "../../parts/format.ts";
import { Legend, Plot, type Series } from "../../parts/plot.tsx";
import { scrolled } from "../../parts/states.tsx";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Longer ranges have a point for each six hours, which is still as wide as a bar. */
const MOST_HOURS = 8 * 24;

interface ViewProps {
  readonly view: ActivityView;
}

interface Line extends Pick<Series, "name" | "colour"> {
  readonly of: keyof HourFigures;
}

const STOPS: readonly Line[] = [
  { name: "denied", colour: "stop-band", of: "stopped" },
  { name: "asked", colour: "wait-band", of: "asked" },
];
const RUNS: readonly Line[] = [
  { name: "failed", colour: "stop-band", of: "failures" },
  { name: "runs", colour: "work-band", of: "runs" },
];
const PACES: readonly Line[] = [
  { name: "p99", colour: "idle-band", of: "p99_ms" },
  { name: "p95", colour: "ink-3", of: "p95_ms" },
  { name: "p50", colour: "accent", of: "p50_ms" },
];

function onRange(from: number, to: number): void {
  goWords({ from: String(Math.floor(from * 1000)), to: String(Math.ceil(to * 1000)) });
}

interface Drawn {
  readonly times: readonly number[];
  readonly step: number;
  readonly series: readonly Series[];
}

/** Hours, or a few of them together, without gaps: counts are added up, of times the longest is taken. */
function useSeries({ hours, since, until }: ActivityView, lines: readonly Line[], isCount: boolean): Drawn {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const key = JSON.stringify(hours);
  return useMemo(() => {
    const step = to - from > MOST_HOURS * HOUR ? 6 * HOUR : HOUR;
    const length = Math.max(1, Math.ceil((to - from) / step));
    const series = lines.map(({ of, ...line }) => {
      const values: (number | null)[] = Array.from({ length }, () => (isCount ? 0 : null));
      for (const hour of hours) {
        const at = Math.floor((hour.time - from) / step);
        const value = hour[of];
        if (value === undefined || at < 0 || at >= length) continue;
        values[at] = isCount ? (values[at] ?? 0) + value : Math.max(values[at] ?? 0, value);
      }
      return { ...line, values };
    });
    const times = Array.from({ length }, (_, at) => (from + at * step) / 1000);
    return { times, step: step / 1000, series };
  }, [key, from, Math.floor(to / HOUR)]);
}

export function Stops({ view }: ViewProps) {
  const drawn = useSeries(view, STOPS, true);
  return (
    <section>
      <div class="bar">
        <h2>Stopped and asked</h2>
        <span class="faint wide">drag over a time to look at it alone</span>
        <Legend series={STOPS} />
      </div>
      <Plot label="Stopped and asked over time" {...drawn} onRange={onRange} />
    </section>
  );
}

export function Runs({ view }: ViewProps) {
  const drawn = useSeries(view, RUNS, true);
  // What failed has run, too.
  const series = useMemo(() => {
    const [failed, runs] = drawn.series;
    if (failed === undefined || runs === undefined) return drawn.series;
    return [failed, { ...runs, values: runs.values.map((all, at) => (all ?? 0) - (failed.values[at] ?? 0)) }];
  }, [drawn]);
  return (
    <div>
      <div class="bar">
        <h2>Runs and failures of hooks</h2>
        <Legend series={RUNS} />
      </div>
      <Plot label="Runs and failures of hooks over time" {...drawn} series={series} onRange={onRange} />
    </div>
  );
}

export function Latency({ view }: ViewProps) {
  const drawn = useSeries(view, PACES, false);
  return (
    <div>
      <div class="bar">
        <h2>Time of a hook</h2>
        <Legend series={PACES} />
      </div>
      <Plot
        label="Time of a hook over time"
        kind="lines"
        {...drawn}
        format={milliseconds}
        onRange={onRange}
      />
    </div>
  );
}

export function Costs({ view: { costs, since } }: ViewProps) {
  const total = costs.reduce((sum, { cost_usd = 0 }) => sum + cost_usd, 0);
  const used = costs.reduce((sum, one) => sum + one.tokens, 0);
  const unpriced = costs.some(({ cost_usd }) => cost_usd === undefined);
  const key = JSON.stringify(costs);
  const [times, series] = useMemo((): readonly [readonly number[], readonly Series[]] => {
    const known = new Map(
      costs.map(({ day, cost_usd = 0 }) => [new Date(`${day}T00:00:00`).toDateString(), cost_usd]),
    );
    const all: Date[] = [];
    for (let time = Date.parse(since) + DAY; time <= Date.now() + HOUR; time += DAY) all.push(new Date(time));
    const values = all.map((day) => known.get(day.toDateString()) ?? 0);
    return [
      all.map((day) => new Date(day.toDateString()).getTime() / 1000),
      [{ name: "cost", colour: "work-band", values }],
    ];
  }, [key, since]);
  return (
    <section>
      <div class="bar">
        <h2>Cost</h2>
        <span class="muted">
          {dollars(total)} for {tokens(used)} tokens{unpriced ? ", and what has no price" : ""}
        </span>
      </div>
      <div class="pair">
        <Plot label="Cost by day" times={times} step={DAY / 1000} series={series} format={dollars} />
        <div class="card scroll short" {...scrolled("Cost by day")}>
          <table aria-label="Cost by day">
            <thead>
              <tr>
                <th>Day</th>
                <th class="num">Tokens</th>
                <th class="num">Cost</th>
              </tr>
            </thead>
            <tbody>
              {costs.toReversed().map(({ day, tokens: of, cost_usd }) => (
                <tr key={day}>
                  <td>{day}</td>
                  <td class="num">{tokens(of)}</td>
                  <td class="num">{dollars(cost_usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}
