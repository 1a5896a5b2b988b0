import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { query } from "../../net/ask.ts";
import { goWords, useRoute } from "../../net/route.ts";
import { useAgainWhile, useAsked } from "../../net/use-asked.ts";
import { ProjectSelect, Tabs } from "../../parts/choose.tsx";
import { useNow } from "../../parts/clock.ts";
import { count, milliseconds, plural } from "../../parts/format.ts";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { Tile } from "../../parts/tile.tsx";
import { Groups } from "./groups.tsx";
import { Chosen } from "./list.tsx";
import { Costs, Latency, Runs, Stops } from "./plots.tsx";
import { Range } from "./range.tsx";
import { hasList, listAddress } from "./words.ts";

const RANGES = [
  ["1", "Day"],
  ["7", "Week"],
  ["30", "Month"],
  ["", "Range"],
] as const;

const LOOK_MILLISECONDS = 15_000;
const DAY_MILLISECONDS = 86_400_000;

export function Activity() {
  const { words } = useRoute();
  const looks = Math.floor(useNow(LOOK_MILLISECONDS) / LOOK_MILLISECONDS);
  const [from, to, project, by] = ["from", "to", "project", "by"].map((word) => words.get(word) ?? undefined);
  const days = from === undefined ? (words.get("days") ?? "7") : "";
  const { reply, problem, again } = useAsked<ActivityView>(
    `activity${query({ days, from, to, project, by })}`,
    looks,
  );
  useAgainWhile(reply !== undefined && isEmpty(reply), again);
  const choose = (chosen: string): void =>
    goWords(
      chosen === ""
        ? { from: String(Date.now() - DAY_MILLISECONDS), to: String(Date.now()) }
        : { days: chosen, from: undefined, to: undefined },
    );
  return (
    <>
      <div class="head">
        <h1>Activity</h1>
        <div class="right">
          <ProjectSelect
            withAll
            projects={reply?.projects ?? (project === undefined ? [] : [project])}
            value={project ?? ""}
            onChange={(chosen) => goWords({ project: chosen })}
          />
          <Tabs choices={RANGES} value={days} onChange={choose} />
        </div>
      </div>
      {from !== undefined && <Range from={Number(from)} to={Number(to) || Date.now()} />}
      {problem !== undefined && reply === undefined ? (
        <section class="card">
          <Failed problem={problem} again={again} />
        </section>
      ) : reply === undefined ? (
        <section class="card">
          <Loading what="activity" />
        </section>
      ) : (
        <Shown view={reply} />
      )}
    </>
  );
}

function Shown({ view }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  if (isEmpty(view))
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
      {hasList(words) && <Chosen view={view} />}
      <Stops view={view} />
      <section class="pair">
        <Runs view={view} />
        <Latency view={view} />
      </section>
      <Groups view={view} />
      {view.costs.length > 0 && <Costs view={view} />}
    </>
  );
}

function isEmpty({ totals }: ActivityView): boolean {
  return totals.decisions + totals.runs === 0;
}

function Tiles({ view: { totals } }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const { decisions, stopped, asked, failures, sessions, runs, pace } = totals;
  const share = (part: number): string =>
    decisions === 0 ? "" : `${((part / decisions) * 100).toFixed(part / decisions < 0.1 ? 1 : 0)} % of calls`;
  return (
    <section class="card tiles" aria-label="Totals">
      <Tile name="Calls" number={count(decisions)} href={listAddress(words, { list: "all" })}>
        in {plural(sessions, "session")}
      </Tile>
      <Tile name="Stopped" number={count(stopped)} href={listAddress(words, { verdict: "deny" })}>
        {share(stopped)}
      </Tile>
      <Tile name="Asked" number={count(asked)} href={listAddress(words, { verdict: "ask" })}>
        {share(asked)}
      </Tile>
      <Tile name="Hook failures" number={count(failures)} href={listAddress(words, { said: "failed" })}>
        of {plural(runs, "run")} of all hooks
      </Tile>
      <Tile name="Time of a hook" number={pace === undefined ? "-" : milliseconds(pace.p50_ms)}>
        {pace !== undefined && `p95 ${milliseconds(pace.p95_ms)}, p99 ${milliseconds(pace.p99_ms)}`}
      </Tile>
    </section>
  );
}
