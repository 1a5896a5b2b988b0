import { useCallback, useMemo } from "preact/hooks";
import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { goWords } from "../../net/route.ts";
import { dollars, tokens } from "../../parts/format.ts";
import { Bars, type Series } from "../../parts/plot.tsx";

const HOUR = 3_600_000;

export function Stops({ view: { hours, since } }: { readonly view: ActivityView }) {
  const key = hours.map(({ time, stopped, asked }) => `${time} ${stopped} ${asked}`).join();
  const [times, series] = useMemo((): readonly [readonly number[], readonly Series[]] => {
    const known = new Map(hours.map((hour) => [hour.time, hour]));
    const all: number[] = [];
    for (let time = Math.floor(Date.parse(since) / HOUR) * HOUR; time <= Date.now(); time += HOUR)
      all.push(time);
    const of = (name: "stopped" | "asked") => all.map((time) => known.get(time)?.[name] ?? 0);
    const [stopped, asked] = [of("stopped"), of("asked")];
    return [
      all.map((time) => time / 1000),
      [
        { name: "asked", colour: "wait-band", values: asked.map((value, at) => value + (stopped[at] ?? 0)) },
        { name: "denied", colour: "stop-band", values: stopped },
      ],
    ];
  }, [key, since]);
  const onRange = useCallback((from: number, to: number) => {
    goWords({ from: String(Math.floor(from * 1000)), to: String(Math.ceil(to * 1000)) });
  }, []);
  return (
    <section>
      <div class="bar">
        <h2>Stopped and asked</h2>
        <span class="faint wide">drag over a time to see its calls</span>
        <div class="right legend">
          <span>
            <i class="dot stop" />
            denied
          </span>
          <span>
            <i class="dot wait" />
            asked
          </span>
        </div>
      </div>
      <div class="card plot">
        <Bars label="Stopped and asked by hour" times={times} series={series} onRange={onRange} />
      </div>
    </section>
  );
}

const DAY = 24 * HOUR;

export function Costs({ view: { costs, since } }: { readonly view: ActivityView }) {
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
      <div class="card two plain">
        <div class="plot">
          <Bars label="Cost by day" times={times} series={series} format={dollars} />
        </div>
        <div class="scroll">
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
