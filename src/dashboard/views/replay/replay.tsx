import type { ReplayView } from "../../../shared/replay.ts";
import { query } from "../../net/ask.ts";
import { useLive } from "../../net/live.ts";
import { goWords, useRoute } from "../../net/route.ts";
import { useAsked } from "../../net/use-asked.ts";
import { useHooks } from "../../net/use-hooks.ts";
import { ProjectSelect, Tabs } from "../../parts/choose.tsx";
import { folder } from "../../parts/format.ts";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { Found } from "./found.tsx";

const RANGES = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
] as const;

export function Replay() {
  const { overview } = useLive();
  if (overview === undefined) return <Loading what="recorded sessions" title="Replay" />;
  if (overview.may.includes("replay")) return <OfProject />;
  return (
    <>
      <div class="head">
        <h1>Replay</h1>
      </div>
      <section class="card">
        <Empty title="Sessions are replayed on the machine that has them">
          Run <code>tenterhook replay</code> there, or open its own <code>tenterhook dashboard</code>.
        </Empty>
      </section>
    </>
  );
}

function OfProject() {
  const { words } = useRoute();
  const days = words.get("days") ?? "30";
  const project = words.get("project") ?? undefined;
  const hooks = useHooks(project);
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
        <section class="card">
          <Failed problem={failure} again={again} />
        </section>
      ) : hooks.reply !== undefined && chosen === "" ? (
        <section class="card">
          <Empty title="Nothing to replay yet">
            Sessions of agents appear here once they have worked in a project.
          </Empty>
        </section>
      ) : reply === undefined || loading ? (
        <section class="card">
          <Loading what="recorded sessions" />
        </section>
      ) : (
        <Found found={reply} />
      )}
    </>
  );
}
