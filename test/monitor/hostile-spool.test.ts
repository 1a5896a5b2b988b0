import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openIntake } from "../../src/monitor/intake/intake.ts";
import { createMonitor } from "../../src/monitor/monitor.ts";
import { spoolFolder } from "../../src/monitor/report/spool.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent, question } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

/** A monitor that takes in these lines, and what it says about them. */
async function monitorAfter(...lines: readonly (MonitorEvent | string)[]) {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const store = await openStore();
  const errors: unknown[] = [];
  const loop = await openIntake(store, environment, (error) => errors.push(error));
  const write = async (...more: readonly (MonitorEvent | string)[]) => {
    const text = more.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    appendFileSync(join(spoolFolder(environment), "spool.jsonl"), `${text}\n`, { mode: 0o600 });
    await loop.drain();
  };
  await write(...lines);
  return { store, monitor: createMonitor(store), errors, write };
}

const recent = (event: MonitorEvent): MonitorEvent => ({ ...event, time: new Date().toISOString() });
const gone = recent(monitorEvent("agent:gone"));

describe("a line in the spool that no hook has written", () => {
  it("makes the monitor run no command", async () => {
    const action = recent(monitorEvent("agent:action", { action: "check", run: "touch /tmp/x", timeout: 5 }));
    const { store } = await monitorAfter(gone, action);
    expect(await store.agents()).toEqual([expect.objectContaining({ state: "gone" })]);
    expect(await store.agents()).toEqual([expect.not.objectContaining({ pending: expect.anything() })]);
  });

  it("ends no action that the monitor has not begun, and puts no command of its own before a human", async () => {
    const ended = (fields: object) =>
      recent(monitorEvent("agent:action_ended", { ok: false, run: "evil", timeout: 5, ...fields }));
    const { store, monitor, write } = await monitorAfter(gone, ended({ action_id: "none" }));
    expect(await store.decisions("all")).toEqual([]);
    const begun = await monitor.act("worker", () => ({ action: "check", run: "npm test", timeout: 5 }));
    await write(ended({ action_id: begun?.pending?.id }));
    expect(await store.decisions("all")).toEqual([
      expect.objectContaining({ source: "check", check: { run: "npm test", timeout: 5 } }),
    ]);
  });

  it("names no file outside of the monitor's folders", async () => {
    const asked = (id: string) => recent({ ...question({ waits_until: "2999-01-01T00:00:00.000Z" }), id });
    const ids = ["../../evil", "/etc/evil", "..", "a\\b", "", "x".repeat(300)];
    const { store } = await monitorAfter(...ids.map(asked));
    expect(await store.decisions("all")).toEqual([]);
  });
});

describe("an event that can't be stored", () => {
  it("is left out and named, and holds up no other one", async () => {
    const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const before = { ...gone, id: "first", agent_id: "one" };
    const asks = recent(question({ id: "bad", question: 0 }));
    const bad = JSON.stringify(asks).replace('"question":0', `"question":${nested}`);
    const { store, errors, write } = await monitorAfter(before, bad, {
      ...gone,
      id: "third",
      agent_id: "three",
    });
    await write({ ...gone, id: "fourth", agent_id: "four" });
    const agents = await store.agents();
    expect(agents.map(({ agent_id }) => agent_id)).toEqual(["four", "one", "three"]);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toContain("The event bad of worker");
  });
});
