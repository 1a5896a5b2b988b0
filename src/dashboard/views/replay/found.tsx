import { useMemo } from "preact/hooks";
import type { ReplayView } from "../../../shared/replay.ts";
import { count, moment, plural } from "../../parts/format.ts";
import { Legend, Plot, type Series } from "../../parts/plot.tsx";
import { scrolled } from "../../parts/states.tsx";
import { Tile } from "../../parts/tile.tsx";
import { Changed } from "./changed.tsx";

/** What a replay has found: live and in a report. */
export function Found({ found }: { readonly found: ReplayView }) {
  return (
    <>
      <Totals found={found} />
      <section class="pair">
        <ByDay found={found} />
        <ByRule found={found} />
      </section>
      <Changed found={found} />
      <Unjudged found={found} />
    </>
  );
}

function Totals({ found }: { readonly found: ReplayView }) {
  const { sessions, agents, events, unreadable, would, denied_sessions, against, from, until } = found;
  // Never rounded up to all: somebody would be told that nothing changes.
  const share = events === 0 ? 100 : Math.floor((would.same / events) * 100);
  const days =
    from === undefined || until === undefined
      ? 1
      : Math.max(1, (Date.parse(until) - Date.parse(from)) / 86_400_000);
  const aDay = would.ask / days;
  return (
    <section class="card tiles" aria-label="Totals">
      <Tile name="Sessions" number={count(sessions)}>
        {agents.join(", ")}
      </Tile>
      <Tile name="Calls" number={count(events)}>
        {unreadable > 0
          ? `${plural(unreadable, "line")} could not be read`
          : from !== undefined && until !== undefined && `${moment(from)} to ${moment(until)}`}
      </Tile>
      <Tile name="Would deny" number={count(would.deny)} colour={would.deny > 0 ? "stop" : ""}>
        {would.deny > 0 && `in ${plural(denied_sessions, "session")}`}
      </Tile>
      <Tile name="Would ask" number={count(would.ask)} colour={would.ask > 0 ? "wait" : ""}>
        {would.ask > 0 && (aDay < 1 ? "less than one a day" : `about ${count(Math.round(aDay))} a day`)}
      </Tile>
      <Tile name="Unchanged" number={`${share} %`}>
        {plural(would.same, "call")}
        {would.rewrite > 0 && `, ${count(would.rewrite)} rewritten`}
      </Tile>
      {against !== undefined && (
        <>
          <Tile name="Newly stopped" number={count(against.newly_stopped)} />
          <Tile name="Newly let through" number={count(against.newly_let_through)} />
          <Tile name="For another reason" number={count(against.other_reason)} />
        </>
      )}
    </section>
  );
}

const KINDS = [
  { name: "deny", colour: "stop-band" },
  { name: "ask", colour: "wait-band" },
  { name: "rewrite", colour: "work-band" },
] as const;

function ByDay({ found: { changed } }: { readonly found: ReplayView }) {
  const [times, series] = useMemo((): readonly [readonly number[], readonly Series[]] => {
    const days = new Map<number, Record<string, number>>();
    for (const { at, now } of changed) {
      if (at === undefined) continue;
      const day = startOfDay(new Date(at));
      const counts = days.get(day) ?? {};
      days.set(day, counts);
      counts[now.action] = (counts[now.action] ?? 0) + 1;
    }
    const all: number[] = [];
    const [first = 0, last = 0] = [Math.min(...days.keys()), Math.max(...days.keys())];
    for (let day = first; day <= last; day = nextDay(day)) all.push(day);
    const series = KINDS.map((kind) => ({
      ...kind,
      values: all.map((day) => days.get(day)?.[kind.name] ?? 0),
    }));
    return [all.map((day) => day / 1000), series];
  }, [changed]);
  return (
    <div>
      <div class="bar">
        <h2>Changed calls by day</h2>
        <Legend series={KINDS} />
      </div>
      {times.length === 0 ? (
        <div class="card empty">No call would change.</div>
      ) : (
        <Plot label="Changed calls by day" times={times} step={86_400} series={series} />
      )}
    </div>
  );
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Days with a change of the clock are longer or shorter. */
function nextDay(day: number): number {
  const date = new Date(day);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

function ByRule({ found: { by_hook } }: { readonly found: ReplayView }) {
  const cell = (number: number) => (number === 0 ? <span class="faint">0</span> : count(number));
  return (
    <div>
      <div class="bar">
        <h2>By rule</h2>
      </div>
      <div class="card scroll short" {...scrolled("By rule")}>
        {by_hook.length === 0 ? (
          <p class="empty">No hook would change anything.</p>
        ) : (
          <table aria-label="By rule">
            <thead>
              <tr>
                <th>Rule</th>
                <th class="wide w-when">Hook</th>
                <th class="num w-tokens">Deny</th>
                <th class="num w-tokens">Ask</th>
                <th class="num w-tokens">Rewrite</th>
              </tr>
            </thead>
            <tbody>
              {by_hook.map(({ hook, rule = hook, deny, ask, rewrite }) => (
                <tr key={`${hook} ${rule}`}>
                  <td class={`clip${rule === hook ? "" : " mono"}`} title={rule}>
                    {rule}
                  </td>
                  <td class="name muted wide" title={hook}>
                    {hook}
                  </td>
                  <td class="num">{cell(deny)}</td>
                  <td class="num">{cell(ask)}</td>
                  <td class="num">{cell(rewrite)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}

function Unjudged({ found: { unjudged, not_evaluated } }: { readonly found: ReplayView }) {
  return (
    <>
      {not_evaluated.length > 0 && (
        <section>
          <p class="notice plain">
            Not asked, because they start something:{" "}
            {not_evaluated.map(({ hook, events }) => `${hook} (${plural(events, "call")})`).join(", ")}.{" "}
            <code>tenterhook replay --run</code> asks them too.
          </p>
        </section>
      )}
      {unjudged.length > 0 && (
        <section>
          <div class="bar">
            <h2>Most frequent commands that nothing judged</h2>
          </div>
          <div class="card scroll short" {...scrolled("Commands that nothing judged")}>
            <table aria-label="Commands that nothing judged">
              <thead>
                <tr>
                  <th>Command</th>
                  <th class="num w-tokens">Calls</th>
                </tr>
              </thead>
              <tbody>
                {unjudged.map(({ command, calls }) => (
                  <tr key={command}>
                    <td class="clip" title={command}>
                      <code>{command}</code>
                    </td>
                    <td class="num">{count(calls)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </>
  );
}
