import { join } from "node:path";
import { expect, it } from "vitest";
import { bandsOf } from "../../src/monitor/dashboard/read.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import type { StateSource } from "../../src/shared/monitor/events.ts";
import type { AgentState } from "../../src/shared/monitor/monitor.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();
const time = (minutes: number): number => Date.parse(at(minutes));

it("states are read from where they began, and equal neighbours are one band", async () => {
  const store = await sqliteMonitor(join(temporaryFolder(), "monitor.db"));
  const put = (agent_id: string, minutes: number, state: AgentState, source?: StateSource) =>
    store.update((tables) =>
      tables.putAgent({ agent_id, state, since: at(minutes), ...(source && { source }) }),
    );
  await put("a", 0, "starting");
  await put("a", 1, "working");
  await put("a", 30, "prompting");
  await put("a", 40, "working");
  await put("a", 41, "working");
  await put("a", 50, "working", "inferred");
  await put("b", 5, "exited");
  await put("c", 35, "idle");
  const changes = await store.states(at(20));
  await store.close();
  const { agents } = bandsOf(changes, new Map([["a", "claude in shop"]]), time(20), time(60));
  expect(agents).toEqual([
    {
      id: "a",
      name: "claude in shop",
      bands: [
        { state: "working", source: "hook", from: time(20), to: time(30) },
        { state: "prompting", source: "hook", from: time(30), to: time(40) },
        { state: "working", source: "hook", from: time(40), to: time(50) },
        { state: "working", source: "inferred", from: time(50), to: time(60) },
      ],
    },
    { id: "c", name: "c", bands: [{ state: "idle", source: "hook", from: time(35), to: time(60) }] },
  ]);
});
