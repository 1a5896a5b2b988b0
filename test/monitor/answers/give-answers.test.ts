import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import { closePrompt, takeFor, waitForAnswer } from "../../../src/monitor/report/answers.ts";
import { AT_TERMINAL, NO_LONGER_ASKED, NOBODY } from "../../../src/monitor/report/endings.ts";
import type { HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { monitorEvent } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";

const ME = { by: "me", channel: "cli" } as const;
const ALLOW = { choices: ["allow"] };

/** A monitor with a permission that a hook waits for. */
async function asked() {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const store = await openStore();
  const waits_until = new Date(Date.now() + 600_000).toISOString();
  const prompt = monitorEvent("agent:prompt", { prompt_type: "permission", question: "Bash", waits_until });
  await takeIn(store, [prompt]);
  const { id } = prompt;
  const file = join(environment.XDG_STATE_HOME, "tenterhook/answers", `${id}.json`);
  return {
    id,
    environment,
    store,
    isWritten: () => existsSync(file),
    /** The monitor after a start. Whoever answers does not wait for the hook. */
    started: () => createMonitor(store, environment, undefined, 0),
    decision: async (): Promise<HumanRequest | undefined> => (await store.decisions("all"))[0],
  };
}

const THERE = { state: "dismissed", resolved: { by: "Answered in the terminal." } };

describe("an answer to a prompt that was answered at the agent meanwhile", () => {
  it("is refused, and the decision ends although the agent's report came first", async () => {
    const { id, environment, store, started, decision } = await asked();
    await closePrompt(id, environment, new AbortController().signal);
    const report = monitorEvent("agent:answer", { prompt: id, answer: true, by: "user", channel: "agent" });
    // The report is stored between the monitor's answer and the moment in which it notices.
    const late: typeof store = {
      ...store,
      update: async (work) => {
        const result = await store.update(work);
        await takeIn(store, [report]);
        return result;
      },
    };
    const answering = createMonitor(late, environment).resolve(id, ALLOW, ME);
    await expect(answering).rejects.toThrow("answered with allow in the terminal.");
    expect(await decision()).toMatchObject({
      state: "resolved",
      resolved: { channel: "agent", answer: true },
    });
    await expect(started().resolve(id, ALLOW, ME)).rejects.toThrow("answered with allow in the terminal.");
  });

  it("does not stay in the record when the daemon was killed before it noticed", async () => {
    const { id, environment, store, started, decision } = await asked();
    await closePrompt(id, environment, new AbortController().signal);
    const open = await decision();
    const resolved = { at: new Date().toISOString(), ...ME, answer: { allow: true } };
    if (open !== undefined)
      await store.update((tables) => tables.putDecision({ ...open, state: "resolved", resolved }));
    await started().recoverAnswers();
    expect(await decision()).toMatchObject(THERE);
  });
});

const AT = "2026-01-01T00:00:00.000Z";
const DENY = { allow: false };

it.each<readonly [HumanRequest["state"], NonNullable<HumanRequest["resolved"]>, outcome: string]>([
  [
    "superseded",
    { at: AT, by: "The agent asks something newer.", channel: "agent" },
    "the agent asks something newer.",
  ],
  ["dismissed", { at: AT, by: "The agent has ended.", channel: "agent" }, "the agent has ended."],
  ["resolved", { at: AT, ...ME, answer: DENY }, "answered with deny by me (cli)."],
  ["resolved", { at: AT, ...NOBODY, answer: DENY }, "nobody answered in time, so the answer is deny."],
])("an answer to a decision that is %s is refused and reaches no hook", async (state, resolved, outcome) => {
  const { id, store, started, decision, isWritten } = await asked();
  const open = await decision();
  if (open !== undefined) await store.update((tables) => tables.putDecision({ ...open, state, resolved }));
  const closed = await decision();
  await expect(started().resolve(id, ALLOW, ME)).rejects.toMatchObject({
    code: "decision_closed",
    message: `Too late: ${outcome}`,
  });
  expect(await decision()).toEqual(closed);
  expect(isWritten()).toBe(false);
});

it("a hook does not wait longer when the clock is set back", async () => {
  const { id, environment } = await asked();
  const clock = vi.spyOn(Date, "now");
  onTestFinished(() => clock.mockRestore());
  const waiting = waitForAnswer(id, 500, environment, new AbortController().signal);
  const began = Date.now();
  clock.mockImplementation(() => began - 3_600_000);
  expect(await waiting).toBeUndefined();
});

it("a hook waits on when the clock is set ahead for a moment", async () => {
  const { id, environment, started } = await asked();
  const clock = vi.spyOn(Date, "now");
  onTestFinished(() => clock.mockRestore());
  const waiting = waitForAnswer(id, 60_000, environment, new AbortController().signal);
  const began = Date.now();
  clock.mockImplementation(() => began + 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  clock.mockRestore();
  await started().resolve(id, ALLOW, ME);
  expect(await waiting).toEqual({ allow: true });
});

describe("after a restart of the daemon, an answer", () => {
  it("that the hook has taken is not written again", async () => {
    const { id, environment, started, isWritten } = await asked();
    await started().resolve(id, ALLOW, ME);
    const answer = await waitForAnswer(id, 1000, environment, new AbortController().signal);
    expect(answer).toEqual({ allow: true });
    await started().recoverAnswers();
    expect(isWritten()).toBe(false);
  });

  it("that no hook has taken yet is not delivered, and is when one takes it", async () => {
    const { id, environment, started, decision } = await asked();
    expect((await started().resolve(id, ALLOW, ME)).resolved?.delivered).toBeUndefined();
    const again = started();
    await again.recoverAnswers();
    expect((await decision())?.resolved?.delivered).toBeUndefined();
    takeFor(id, environment);
    await again.redeliver();
    expect(await decision()).toMatchObject({ state: "resolved", resolved: { ...ME, delivered: true } });
  });

  it("that a hook took while no daemon ran is delivered", async () => {
    const { id, environment, store, started, decision } = await asked();
    await started().resolve(id, ALLOW, ME);
    takeFor(id, environment);
    await started().recoverAnswers();
    expect(await decision()).toMatchObject({ state: "resolved", resolved: { delivered: true } });
    expect(await store.agents()).toMatchObject([{ state: "working" }]);
  });

  it("that nobody took before the agent ended is taken back", async () => {
    const { id, environment, store, started, decision, isWritten } = await asked();
    const monitor = started();
    await monitor.resolve(id, ALLOW, ME);
    await takeIn(store, [monitorEvent("agent:gone", {})]);
    await monitor.redeliver();
    expect(await decision()).toMatchObject({ state: "resolved", resolved: { delivered: false } });
    await takeIn(store, [monitorEvent("agent:turn", {})]);
    expect(takeFor(id, environment)).toBeUndefined();
    expect(isWritten()).toBe(false);
  });
});

describe("an answer that no hook has taken", () => {
  it.each([
    ["agent:answer", AT_TERMINAL],
    ["agent:interrupted", NO_LONGER_ASKED],
  ])("is not recorded as given when the hook reports %s", async (type, ending) => {
    const { id, store, started, decision } = await asked();
    await started().resolve(id, ALLOW, ME);
    await takeIn(store, [monitorEvent(type, { prompt: id, ...ending })]);
    expect(await decision()).toMatchObject({ state: "dismissed", resolved: { by: ending.by } });
    await expect(started().resolve(id, ALLOW, ME)).rejects.toThrow(
      `Too late: ${ending.by.charAt(0).toLowerCase()}${ending.by.slice(1)}`,
    );
  });
});
