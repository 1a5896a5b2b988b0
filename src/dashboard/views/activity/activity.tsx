import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { query } from "../../net/ask.ts";
import { goWords, useRoute } from "../../net/route.ts";
import { useAsked } from "../../net/use-asked.ts";
import { ProjectSelect, Tabs } from "../../parts/choose.tsx";
import { useNow } from "../../parts/clock.ts";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { Hooks } from "./by-hook.tsx";
import { Chosen, Tiles } from "./numbers.tsx";
import { Costs, Stops } from "./plots.tsx";

const RANGES = [
  ["1", "Day"],
  ["7", "Week"],
  ["30", "Month"],
] as const;

const LOOK_MILLISECONDS = 15_000;

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
