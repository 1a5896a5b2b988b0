import { useCallback, useMemo } from "preact/hooks";
import type { ActivityView } from "../../monitor/dashboard/wire.ts";
import { query } from "../net/ask.ts";
import { goWords, href, useRoute } from "../net/route.ts";
import { useAsked } from "../net/use-asked.ts";
import { Calls } from "../parts/calls.tsx";
import { ProjectSelect, Tabs } from "../parts/choose.tsx";
import { useNow } from "../parts/clock.ts";
import { count, dollars, milliseconds, moment, plural, tokens } from "../parts/format.ts";
import { Bars, type Series } from "../parts/plot.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";

const RANGES = [
  ["1", "Day"],
  ["7", "Week"],
  ["30", "Month"],
] as const;

const LOOK_MILLISECONDS = 15_000;
const HOUR = 3_600_000;

const VERDICTS: Readonly<Record<string, string>> = {
  deny: "stopped",
  ask: "asked",
  failed: "hook failed",
  changed: "changed",
};

export function Activity() {
  const { words } = useRoute();
  const looks = Math.floor(useNow(LOOK_MILLISECONDS) / LOOK_MILLISECONDS);
  const days = words.get("days") ?? "7";
  const project = words.get("project") ?? "";
  const { reply, problem, again } = useAsked<ActivityView>(
    `activity${query({ days, project: project === "" ? undefined : project })}`,
    looks,
  );
  if (problem !== undefined && reply === undefined) return <Failed problem={problem} again={again} />;
  return (
    <>
      <div class="head">
        <h1>Activity</h1>
        <div class="right">
          <ProjectSelect
            withAll
            projects={reply?.projects ?? []}
            value={project}
            onChange={(chosen) => goWords({ project: chosen })}
          />
          <Tabs
            choices={RANGES}
            value={days}
            onChange={(chosen) => goWords({ days: chosen, from: undefined, to: undefined })}
          />
        </div>
      </div>
      {reply === undefined ? <Loading what="activity" /> : <Shown view={reply} />}
    </>
  );
}

function Shown({ view }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const chosen = ["verdict", "hook", "from"].some((word) => words.has(word)) || words.get("list") === "all";
  if (view.totals.decisions === 0)
    return (
      <section class="card">
        <Empty title="Nothing was decided in this time">
          Calls appear here as soon as hooks decide about them.
        </Empty>
      </section>
    );
  return (
    <>
      <Tiles view={view} />
      {chosen && <Chosen view={view} />}
      <Stops view={view} />
      <Hooks view={view} />
      {view.costs.length > 0 && <Costs view={view} />}
    </>
  );
}

/** An address with other words. */
function withWords(words: URLSearchParams, change: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(words);
  for (const key of ["verdict", "hook", "from", "to", "list"]) next.delete(key);
  for (const [key, value] of Object.entries(change)) next.set(key, value);
  return href(`/activity?${next}`);
}

function Tiles({ view: { totals, hooks } }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const { decisions, stopped, asked, failures, sessions } = totals;
  const share = (part: number): string =>
    decisions === 0 ? "" : `${((part / decisions) * 100).toFixed(part / decisions < 0.1 ? 1 : 0)} % of calls`;
  const runs = hooks.reduce((sum, one) => sum + one.runs, 0);
  const total = hooks.reduce((sum, one) => sum + one.mean_ms * one.runs, 0);
  const slowest = hooks.reduce((most, { p95_ms }) => Math.max(most, p95_ms), 0);
  const failing = hooks.filter((one) => one.failures > 0).map(({ name }) => name);
  return (
    <section class="card tiles" aria-label="Totals">
      <div class="tile">
        <span>Calls</span>
        <b>
          <a href={withWords(words, { list: "all" })}>{count(decisions)}</a>
        </b>
        <small>in {plural(sessions, "session")}</small>
      </div>
      <div class="tile">
        <span>Stopped</span>
        <b>
          <a href={withWords(words, { verdict: "deny" })}>{count(stopped)}</a>
        </b>
        <small>{share(stopped)}</small>
      </div>
      <div class="tile">
        <span>Asked</span>
        <b>
          <a href={withWords(words, { verdict: "ask" })}>{count(asked)}</a>
        </b>
        <small>{share(asked)}</small>
      </div>
      <div class="tile">
        <span>Hook failures</span>
        <b>
          <a href={withWords(words, { verdict: "failed" })}>{count(failures)}</a>
        </b>
        <small>
          {failing.length === 0
            ? "none"
            : failing.length === 1
              ? `all in ${failing[0]}`
              : `in ${failing.length} hooks`}
        </small>
      </div>
      <div class="tile">
        <span>Time of a hook</span>
        <b>{runs === 0 ? "-" : milliseconds(total / runs)}</b>
        <small>{runs === 0 ? "" : `slowest p95 ${milliseconds(slowest)}`}</small>
      </div>
    </section>
  );
}

/** The calls behind a number. */
function Chosen({ view }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const [verdict, hook, from, to] = ["verdict", "hook", "from", "to"].map(
    (word) => words.get(word) ?? undefined,
  );
  const title = [
    verdict === undefined ? "Calls" : `Calls that were ${VERDICTS[verdict] ?? verdict}`,
    hook === undefined ? "" : `by ${hook}`,
    from === undefined ? "" : `from ${moment(Number(from))} to ${moment(Number(to))}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
  return (
    <section aria-label="Calls behind the number">
      <div class="bar">
        <h2>{title}</h2>
        <div class="right">
          <a class="muted" href={withWords(words, {})}>
            Close
          </a>
        </div>
      </div>
      <div class="card window">
        <Calls
          which={{
            since: from ?? String(Date.parse(view.since)),
            until: to,
            verdict,
            hook,
            project: words.get("project") ?? undefined,
          }}
        />
      </div>
    </section>
  );
}

function Stops({ view: { hours, since } }: { readonly view: ActivityView }) {
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

function Hooks({ view: { hooks, stops, since } }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  if (hooks.length === 0) return null;
  const zero = <span class="faint">0</span>;
  const linked = (name: string, number: number, verdict: string) =>
    number === 0 ? zero : <a href={withWords(words, { hook: name, verdict })}>{count(number)}</a>;
  return (
    <section>
      <div class="bar">
        <h2>By hook</h2>
      </div>
      <div class="card scroll">
        <table aria-label="By hook">
          <thead>
            <tr>
              <th>Hook</th>
              <th class="wide w-spark">Stopped over time</th>
              <th class="num">Runs</th>
              <th class="num">Denied</th>
              <th class="num">Asked</th>
              <th class="num wide">Would</th>
              <th class="num wide">Failed</th>
              <th class="num wide">p95</th>
            </tr>
          </thead>
          <tbody>
            {hooks.map((hook) => (
              <tr key={hook.name}>
                <td>
                  <a href={withWords(words, { hook: hook.name })}>{hook.name}</a>
                </td>
                <td class="wide">
                  <Spark
                    points={stops.filter((one) => one.hook === hook.name)}
                    from={Date.parse(since)}
                    to={Date.now()}
                  />
                </td>
                <td class="num">{count(hook.runs)}</td>
                <td class="num">{linked(hook.name, hook.denials, "deny")}</td>
                <td class="num">{linked(hook.name, hook.asks, "ask")}</td>
                <td class="num wide">{hook.woulds === 0 ? zero : count(hook.woulds)}</td>
                <td class="num wide">{linked(hook.name, hook.failures, "failed")}</td>
                <td class="num muted wide">{milliseconds(hook.p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface SparkProps {
  readonly points: readonly { readonly time: number; readonly stops: number }[];
  readonly from: number;
  readonly to: number;
}

const POINTS = 14;

function Spark({ points, from, to }: SparkProps) {
  if (points.length === 0) return null;
  const sums = Array.from({ length: POINTS }, () => 0);
  for (const { time, stops } of points) {
    const at = Math.max(0, Math.min(POINTS - 1, Math.floor(((time - from) / (to - from)) * POINTS)));
    sums[at] = (sums[at] ?? 0) + stops;
  }
  const most = Math.max(...sums, 1);
  const line = sums.map((sum, at) => `${at * 7},${(16 - (sum / most) * 14).toFixed(1)}`).join(" ");
  return (
    <svg class="spark" viewBox="0 0 92 18" aria-hidden="true">
      <polyline points={line} />
    </svg>
  );
}

const DAY = 24 * HOUR;

function Costs({ view: { costs, since } }: { readonly view: ActivityView }) {
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
