import type { ProveView } from "../../monitor/dashboard/wire.ts";
import { count } from "../parts/format.ts";
import { Empty } from "../parts/states.tsx";
import { Tile } from "../parts/tile.tsx";

type Scenario = ProveView["agents"][number]["scenarios"][number];

const RESULTS: Readonly<
  Record<Scenario["result"], { readonly word: string; readonly tag: string; readonly colour: string }>
> = {
  obeyed: { word: "obeyed", tag: "ok", colour: "" },
  degraded: { word: "weaker", tag: "ask", colour: "wait" },
  ignored: { word: "ignored", tag: "deny", colour: "stop" },
  not_reached: { word: "not reached", tag: "deny", colour: "stop" },
};

/** What agents did: a table of agents by scenarios, and why something is not obeyed. */
export function Proofs({ found: { agents } }: { readonly found: ProveView }) {
  const scenarios = agents.flatMap((agent) => agent.scenarios);
  const names = [...new Set(scenarios.map(({ name }) => name))];
  return (
    <>
      <section class="card tiles" aria-label="Totals">
        <Tile name="Agents" number={count(agents.length)} />
        {Object.entries(RESULTS).map(([result, { word, colour }]) => {
          const number = scenarios.filter((one) => one.result === result).length;
          return (
            <Tile
              key={result}
              name={word.replace(/^./, (first) => first.toUpperCase())}
              number={count(number)}
              colour={number === 0 ? "" : colour}
            />
          );
        })}
      </section>
      <section>
        <div class="bar">
          <h2>Agents by scenario</h2>
        </div>
        <div class="card scroll">
          <table aria-label="Agents by scenario">
            <thead>
              <tr>
                <th>Agent</th>
                {names.map((name) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {agents.map(({ title, version, scenarios: own }) => (
                <tr key={title}>
                  <td class="nowrap">
                    {title} <span class="faint">{version}</span>
                  </td>
                  {names.map((name) => (
                    <td key={name}>
                      <Result scenario={own.find((one) => one.name === name)} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <NotObeyed agents={agents} />
    </>
  );
}

function NotObeyed({ agents }: ProveView) {
  const weak = agents.flatMap(({ title, scenarios }) =>
    scenarios.filter(({ result }) => result !== "obeyed").map((scenario) => ({ title, scenario })),
  );
  return (
    <section>
      <div class="bar">
        <h2>What is not obeyed</h2>
      </div>
      <div class="card scroll">
        {weak.length === 0 ? (
          <Empty title="Every agent obeys everything" />
        ) : (
          <table aria-label="What is not obeyed">
            <thead>
              <tr>
                <th>Agent</th>
                <th>Scenario</th>
                <th>Result</th>
                <th>Why</th>
              </tr>
            </thead>
            <tbody>
              {weak.map(({ title, scenario }) => (
                <tr key={`${title} ${scenario.name}`}>
                  <td class="nowrap">{title}</td>
                  <td class="nowrap">{scenario.name}</td>
                  <td>
                    <Result scenario={scenario} />
                  </td>
                  <td>
                    {scenario.why}
                    {scenario.way_out !== undefined && <div class="muted">{scenario.way_out}</div>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

function Result({ scenario }: { readonly scenario: Scenario | undefined }) {
  if (scenario === undefined) return <span class="faint">–</span>;
  const { word, tag } = RESULTS[scenario.result];
  return <span class={`tag ${tag}`}>{word}</span>;
}
