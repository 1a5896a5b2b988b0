import type { GroupFigures } from "../../../journal/activity/figures.ts";
import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { goWords, useRoute } from "../../net/route.ts";
import { Tabs } from "../../parts/choose.tsx";
import { count, folder, milliseconds } from "../../parts/format.ts";
import { Empty } from "../../parts/states.tsx";
import { listAddress } from "./words.ts";

const GROUPINGS = [
  ["hook", "Hook"],
  ["rule", "Rule"],
  ["agent", "Agent"],
  ["project", "Project"],
] as const;

/** The numbers by hook, rule, agent or project. Each leads to the calls behind it. */
export function Groups({ view: { groups, since, until } }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const by = GROUPINGS.find(([one]) => one === words.get("by")) ?? GROUPINGS[0];
  const [kind, title] = by;
  const isOfHooks = kind === "hook" || kind === "rule";
  return (
    <section>
      <div class="bar">
        <h2>By {kind}</h2>
        <div class="right">
          <Tabs choices={GROUPINGS} value={kind} onChange={(chosen) => goWords({ by: chosen })} />
        </div>
      </div>
      <div class="card scroll">
        {groups.length === 0 ? (
          <Empty title="No rule has spoken in this time">
            Rules are counted from the day on which this version began to record them.
          </Empty>
        ) : (
          <table aria-label={`By ${kind}`}>
            <thead>
              <tr>
                <th>{title}</th>
                {kind === "rule" && <th class="wide w-agent">Hook</th>}
                <th class="wide w-spark">Stopped over time</th>
                <th class="num w-count">{isOfHooks ? "Runs" : "Calls"}</th>
                <th class="num w-count">Denied</th>
                <th class="num w-count">Asked</th>
                <th class="num wide w-count">Rewritten</th>
                <th class="num wide w-count">Would</th>
                <th class="num wide w-count">Failed</th>
                <th class="num wide w-count">p50</th>
                <th
                  class="num wide w-count"
                  title={kind === "rule" ? "of its hook: a rule has no time of its own" : undefined}
                >
                  p95
                </th>
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <Row
                  key={`${group.hook} ${group.name}`}
                  kind={kind}
                  group={group}
                  from={Date.parse(since)}
                  to={Date.parse(until)}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

interface RowProps {
  readonly kind: (typeof GROUPINGS)[number][0];
  readonly group: GroupFigures;
  readonly from: number;
  readonly to: number;
}

/** The words that choose the calls of a group. */
function wordsOf(
  kind: RowProps["kind"],
  { name, hook = "" }: GroupFigures,
): Readonly<Record<string, string>> {
  switch (kind) {
    case "hook":
      return { hook: name };
    case "rule":
      return { hook, rule: name };
    case "agent":
      return { agent: name };
    case "project":
      return { project: name, list: "all" };
    default:
      return kind satisfies never;
  }
}

function Row({ kind, group, from, to }: RowProps) {
  const { words } = useRoute();
  const { name, hook, runs, denials, asks, rewrites, woulds, failures, p50_ms, p95_ms, stops } = group;
  const own = wordsOf(kind, group);
  const isOfHooks = kind === "hook" || kind === "rule";
  const plain = (number: number) => (number === 0 ? <span class="faint">0</span> : count(number));
  const linked = (number: number, said: string, verdict?: string) => {
    if (number === 0 || name === "") return plain(number);
    // What came of the calls of an agent or a project is their verdict; what a hook said is its own.
    const more: Readonly<Record<string, string>> =
      isOfHooks || verdict === undefined ? { said } : { verdict };
    return <a href={listAddress(words, { ...own, ...more })}>{count(number)}</a>;
  };
  const shown = kind === "project" ? folder(name) : name === "-" ? "not known" : name;
  return (
    <tr>
      <td class={`clip${kind === "rule" ? " mono" : ""}`} title={name}>
        {shown === "" ? <span class="faint">not known</span> : <a href={listAddress(words, own)}>{shown}</a>}
      </td>
      {kind === "rule" && <td class="name muted wide">{hook}</td>}
      <td class="wide">
        <Spark stops={stops} from={from} to={to} />
      </td>
      <td class="num">
        {isOfHooks ? (
          linked(runs, "ran")
        ) : name === "" ? (
          count(runs)
        ) : (
          <a href={listAddress(words, own)}>{count(runs)}</a>
        )}
      </td>
      <td class="num">{linked(denials, "deny", "deny")}</td>
      <td class="num">{linked(asks, "ask", "ask")}</td>
      <td class="num wide">{isOfHooks ? linked(rewrites, "rewrite") : linked(rewrites, "", "changed")}</td>
      <td class="num wide">{isOfHooks ? linked(woulds, "would") : plain(woulds)}</td>
      <td class="num wide">{linked(failures, "failed")}</td>
      <td class="num muted wide">{p50_ms === undefined ? "" : milliseconds(p50_ms)}</td>
      <td class="num muted wide">{p95_ms === undefined ? "" : milliseconds(p95_ms)}</td>
    </tr>
  );
}

interface SparkProps {
  readonly stops: GroupFigures["stops"];
  readonly from: number;
  readonly to: number;
}

const POINTS = 14;

function Spark({ stops, from, to }: SparkProps) {
  if (stops.length === 0) return null;
  const sums = Array.from({ length: POINTS }, () => 0);
  for (const [time, number] of stops) {
    const at = Math.max(0, Math.min(POINTS - 1, Math.floor(((time - from) / (to - from)) * POINTS)));
    sums[at] = (sums[at] ?? 0) + number;
  }
  const most = Math.max(...sums, 1);
  const line = sums.map((sum, at) => `${at * 7},${(16 - (sum / most) * 14).toFixed(1)}`).join(" ");
  return (
    <svg class="spark" viewBox="0 0 92 18" aria-hidden="true">
      <polyline points={line} />
    </svg>
  );
}
