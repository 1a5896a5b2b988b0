import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { useRoute } from "../../net/route.ts";
import { count, milliseconds, plural } from "../../parts/format.ts";
import { Tile } from "../../parts/tile.tsx";
import { listAddress } from "./words.ts";

export function Tiles({ view: { totals } }: { readonly view: ActivityView }) {
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
        of {plural(runs, "run")}
      </Tile>
      <Tile name="Time of a hook" number={pace === undefined ? "-" : milliseconds(pace.p50_ms)}>
        {pace !== undefined && `p95 ${milliseconds(pace.p95_ms)}, p99 ${milliseconds(pace.p99_ms)}`}
      </Tile>
    </section>
  );
}
