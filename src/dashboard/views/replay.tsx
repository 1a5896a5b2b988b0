import type { HooksView, ReplayView } from "../../monitor/dashboard/wire.ts";
import { query } from "../net/ask.ts";
import { goWords, useRoute } from "../net/route.ts";
import { useAsked } from "../net/use-asked.ts";
import { ProjectSelect, Tabs } from "../parts/choose.tsx";
import { count, folder, moment, plural } from "../parts/format.ts";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { callText } from "./editor.tsx";

const RANGES = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
] as const;

export function Replay() {
  const { words } = useRoute();
  const days = words.get("days") ?? "30";
  const project = words.get("project") ?? undefined;
  const hooks = useAsked<HooksView>(`hooks${query({ project })}`);
  const chosen = hooks.reply?.project ?? "";
  const { reply, problem, loading, again } = useAsked<ReplayView>(
    chosen === "" ? undefined : `replay${query({ days, project: chosen })}`,
  );
  const failure = hooks.problem ?? problem;
  return (
    <>
      <div class="head">
        <h1>Replay</h1>
        <span class="muted">
          what the hooks of {chosen === "" ? "a project" : folder(chosen)} would have stopped
        </span>
        <div class="right">
          {hooks.reply !== undefined && hooks.reply.projects.length > 0 && (
            <ProjectSelect
              projects={hooks.reply.projects}
              value={chosen}
              onChange={(project) => goWords({ project })}
            />
          )}
          <Tabs choices={RANGES} value={days} onChange={(value) => goWords({ days: value })} />
        </div>
      </div>
      {failure !== undefined ? (
        <Failed problem={failure} again={again} />
      ) : hooks.reply !== undefined && chosen === "" ? (
        <section class="card">
          <Empty title="Nothing to replay yet">
            Sessions of agents appear here once they have worked in a project.
          </Empty>
        </section>
      ) : reply === undefined || loading ? (
        <Loading what="recorded sessions" />
      ) : (
        <Found found={reply} />
      )}
    </>
  );
}

function Found({ found }: { readonly found: ReplayView }) {
  const { sessions, events, unreadable, would, changed, left_out, by_hook } = found;
  const share = events === 0 ? 100 : (would.same / events) * 100;
  return (
    <>
      <section class="card tiles" aria-label="Totals">
        <Tile name="Sessions" number={count(sessions)} more="" />
        <Tile
          name="Calls"
          number={count(events)}
          more={unreadable === 0 ? "" : `${plural(unreadable, "line")} could not be read`}
        />
        <Tile name="Would deny" number={count(would.deny)} colour={would.deny > 0 ? "stop" : ""} more="" />
        <Tile name="Would ask" number={count(would.ask)} colour={would.ask > 0 ? "wait" : ""} more="" />
        <Tile name="As before" number={`${share.toFixed(1)} %`} more={plural(would.same, "call")} />
      </section>
      {by_hook.length > 0 && (
        <section>
          <div class="bar">
            <h2>By rule</h2>
          </div>
          <div class="card scroll">
            <table aria-label="By rule">
              <thead>
                <tr>
                  <th>Hook</th>
                  <th class="wide">Rule</th>
                  <th class="num">Deny</th>
                  <th class="num">Ask</th>
                  <th class="num">Rewrite</th>
                </tr>
              </thead>
              <tbody>
                {by_hook.slice(0, 30).map(({ hook, rule, deny, ask, rewrite }) => (
                  <tr key={`${hook} ${rule}`}>
                    <td>{hook}</td>
                    <td class="clip muted wide mono">{rule}</td>
                    <td class="num">{count(deny)}</td>
                    <td class="num">{count(ask)}</td>
                    <td class="num">{count(rewrite)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      <section>
        <div class="bar">
          <h2>Calls that would be decided differently</h2>
          {left_out > 0 && (
            <span class="muted">
              the first {count(changed.length)} of {count(changed.length + left_out)}
            </span>
          )}
        </div>
        <div class="card scroll window">
          {changed.length === 0 ? (
            <Empty title="Nothing would change">All of these calls would be decided as they were.</Empty>
          ) : (
            <table aria-label="Changed calls">
              <thead>
                <tr>
                  <th class="w-would">Would</th>
                  <th>Call</th>
                  <th class="wide">Because</th>
                  <th class="wide w-agent">Agent</th>
                  <th class="num wide w-when">When</th>
                </tr>
              </thead>
              <tbody>
                {changed.slice(0, 500).map((call, at) => (
                  <tr key={at}>
                    <td>
                      <Would action={call.now.action} />
                    </td>
                    <td class="clip" title={callText(call)}>
                      <code>{callText(call)}</code>
                    </td>
                    <td class="clip muted wide">{call.now.reason ?? call.now.rule ?? call.now.hook}</td>
                    <td class="muted wide">{call.agent}</td>
                    <td class="num wide muted">{call.at === undefined ? "" : moment(call.at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      </section>
    </>
  );
}

/** What was stopped then and would not be now is let through. */
function Would({ action }: { readonly action: string }) {
  const isFree = action === "continue" || action === "allow";
  return <span class={`tag ${isFree ? "ok" : action}`}>{isFree ? "let through" : action}</span>;
}

interface TileProps {
  readonly name: string;
  readonly number: string;
  readonly more: string;
  readonly colour?: string;
}

function Tile({ name, number, more, colour = "" }: TileProps) {
  return (
    <div class="tile">
      <span>{name}</span>
      <b class={colour}>{number}</b>
      <small>{more}</small>
    </div>
  );
}
