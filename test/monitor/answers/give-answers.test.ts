import { describe, expect, it } from "vitest";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import { AT_TERMINAL, NO_LONGER_ASKED, NOBODY } from "../../../src/monitor/report/endings.ts";
import type { HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import { eventually } from "../../support/processes.ts";
import { monitorEvent } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";
import { ASKER, hookIn, KEY } from "../support/waiting-hook.ts";

const ME = { by: "me", channel: "cli" } as const;
const ALLOW = { choices: ["allow"] };
const AT = "2026-01-01T00:00:00.000Z";
const NEVER = new AbortController().signal;

/** A monitor with a permission that a hook waits for. */
async function asked() {
  const store = await openStore();
  const waits_until = new Date(Date.now() + 600_000).toISOString();
  const prompt = monitorEvent("agent:prompt", {
    ...{ prompt_type: "permission", question: "Bash", waits_until, ...ASKER },
  });
  await takeIn(store, [prompt]);
  const { id } = prompt;
  return {
    id,
    prompt,
    store,
    /** The monitor after a start. Whoever answers does not wait for the hook. */
    started: () => createMonitor(store, 0),
    decision: async (): Promise<HumanRequest | undefined> => (await store.decisions("all"))[0],
  };
}

describe("an answer", () => {
  it("is given to the hook that waits, and the person waits until that has taken it", async () => {
    const { prompt, id, store } = await asked();
    const monitor = createMonitor(store);
    const hook = hookIn(monitor, store, prompt);
    expect(await monitor.resolve(id, ALLOW, ME)).toMatchObject({
      state: "resolved",
      resolved: { ...ME, fate: "given", given_at: expect.any(String) },
    });
    expect(await hook).toEqual({ answer: { allow: true }, at: expect.any(String), ...ME });
    expect(await store.agents()).toMatchObject([{ state: "working" }]);
  });

  it("of two people counts once, and the other one is told who was faster", async () => {
    const { prompt, id, store } = await asked();
    const monitor = createMonitor(store);
    const hook = hookIn(monitor, store, prompt);
    const both = await Promise.allSettled([
      monitor.resolve(id, ALLOW, ME),
      monitor.resolve(id, { choices: ["deny"] }, { by: "anna", channel: "telegram" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [refused] = both.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(refused).toMatch(/Too late: answered with (allow by me \(cli\)|deny by anna \(telegram\))\./);
    const winner = both[0]?.status === "fulfilled";
    expect((await hook)?.answer).toEqual({ allow: winner });
  });

  it("is told to nobody but the process that asked", async () => {
    const { id, started } = await asked();
    const monitor = started();
    const another = { id, key: "of another process" };
    const refused = { code: "not_allowed" };
    await expect(monitor.ask(another, NEVER)).rejects.toMatchObject(refused);
    await monitor.resolve(id, ALLOW, ME);
    await expect(monitor.ask(another, NEVER)).rejects.toMatchObject(refused);
    await expect(monitor.ask({ ...another, isOver: true }, NEVER)).rejects.toMatchObject(refused);
    await monitor.withdraw(another).catch(() => undefined);
    expect(await monitor.ask({ id, key: KEY }, NEVER)).toMatchObject({ given: { answer: { allow: true } } });
  });

  it.each([{ given_at: AT }, {}])("that only a report names reaches no hook", async (more) => {
    const { id, prompt, store, started } = await asked();
    const hook = hookIn(started(), store, prompt);
    await takeIn(store, [
      monitorEvent("agent:answer", { prompt: id, answer: { allow: true }, ...ME, ...more }),
    ]);
    await takeIn(store, [monitorEvent("agent:turn", {})]);
    expect(await hook).toBeUndefined();
    expect(await started().ask({ id, key: KEY }, NEVER)).toEqual({ end: "closed" });
  });

  it("to a prompt that is reported only later comes to who waits already", async () => {
    const store = await openStore();
    const monitor = createMonitor(store, 0);
    const waits_until = new Date(Date.now() + 600_000).toISOString();
    const prompt = monitorEvent("agent:prompt", { prompt_type: "permission", waits_until, ...ASKER });
    const hook = hookIn(monitor, store, prompt);
    await takeIn(store, [prompt]);
    await monitor.resolve(prompt.id, ALLOW, ME);
    expect(await hook).toMatchObject({ answer: { allow: true } });
  });
});

describe("an answer to a prompt that was answered at the agent meanwhile", () => {
  it("is refused, and the decision ends although the agent's report came first", async () => {
    const { id, store, started, decision } = await asked();
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
    const answering = createMonitor(late).resolve(id, ALLOW, ME);
    await expect(answering).rejects.toThrow("answered with allow in the terminal.");
    expect(await decision()).toMatchObject({
      state: "resolved",
      resolved: { channel: "agent", answer: true },
    });
    await expect(started().resolve(id, ALLOW, ME)).rejects.toThrow("answered with allow in the terminal.");
  });

  it("does not stay in the record when no hook waits any more", async () => {
    const { id, store, started, decision } = await asked();
    await started().resolve(id, ALLOW, ME);
    const [agent] = await store.agents();
    if (agent !== undefined) await store.update((tables) => tables.putAgent({ ...agent, held: [] }));
    await started().settleAnswers();
    expect(await decision()).toMatchObject({
      state: "dismissed",
      resolved: { by: "Answered in the terminal." },
    });
  });
});

const DENY = { allow: false };

it.each<
  readonly [HumanRequest["state"], NonNullable<HumanRequest["resolved"]>, outcome: string, reply: object]
>([
  [
    "superseded",
    { at: AT, by: "The agent asks something newer.", channel: "agent" },
    "the agent asks something newer.",
    { end: "closed" },
  ],
  [
    "dismissed",
    { at: AT, by: "The agent has ended.", channel: "agent" },
    "the agent has ended.",
    { end: "closed" },
  ],
  [
    "resolved",
    { at: AT, ...ME, answer: DENY },
    "answered with deny by me (cli).",
    { given: { at: AT, ...ME, answer: DENY } },
  ],
  [
    "resolved",
    { at: AT, ...ME, answer: DENY, fate: "late" },
    "answered with deny by me (cli).",
    { end: "closed" },
  ],
  [
    "resolved",
    { at: AT, ...NOBODY, answer: DENY },
    "nobody answered in time, so the answer is deny.",
    { given: { at: AT, ...NOBODY, answer: DENY } },
  ],
])(
  "an answer to a decision that is %s is refused, and its hook is told nothing of it",
  async (state, resolved, outcome, reply) => {
    const { id, store, started, decision } = await asked();
    const open = await decision();
    if (open !== undefined) await store.update((tables) => tables.putDecision({ ...open, state, resolved }));
    const closed = await decision();
    await expect(started().resolve(id, ALLOW, ME)).rejects.toMatchObject({
      code: "decision_closed",
      message: `Too late: ${outcome}`,
    });
    expect(await decision()).toEqual(closed);
    expect(await started().ask({ id, key: KEY }, NEVER)).toEqual(reply);
  },
);

describe("after a restart of the daemon, an answer", () => {
  it("that no hook has taken yet is not delivered, and comes to the hook that asks again", async () => {
    const { id, prompt, store, started, decision } = await asked();
    expect((await started().resolve(id, ALLOW, ME)).resolved?.fate).toBeUndefined();
    const again = started();
    await again.settleAnswers();
    expect((await decision())?.resolved?.fate).toBeUndefined();
    expect(await hookIn(again, store, prompt)).toMatchObject({ answer: { allow: true } });
    expect(await decision()).toMatchObject({ state: "resolved", resolved: { ...ME, fate: "given" } });
  });

  it("that a hook took while no daemon ran is delivered", async () => {
    const { id, store, started, decision } = await asked();
    const { resolved } = await started().resolve(id, ALLOW, ME);
    const given_at = new Date().toISOString();
    const taken = { prompt: id, answer: { allow: true }, ...ME, at: resolved?.at, given_at };
    await takeIn(store, [monitorEvent("agent:answer", taken)]);
    await started().settleAnswers();
    expect(await decision()).toMatchObject({ state: "resolved", resolved: { ...ME, fate: "given" } });
    expect(await store.agents()).toMatchObject([{ state: "working" }]);
  });

  it("that the hook has got is the same when that asks again, since the connection broke", async () => {
    const { id, prompt, store, started, decision } = await asked();
    const first = started();
    const hook = hookIn(first, store, prompt);
    await first.resolve(id, ALLOW, ME);
    const got = await hook;
    const recorded = await decision();
    expect(await started().ask({ id, key: KEY }, NEVER)).toEqual({ given: got });
    expect(await decision()).toEqual(recorded);
  });

  it("that nobody took before the agent ended is taken back", async () => {
    const { id, store, started, decision } = await asked();
    const monitor = started();
    await monitor.resolve(id, ALLOW, ME);
    await takeIn(store, [monitorEvent("agent:gone", {})]);
    await monitor.settleAnswers();
    expect(await decision()).toMatchObject({ state: "resolved", resolved: { fate: "late" } });
    await takeIn(store, [monitorEvent("agent:turn", {})]);
    expect(await monitor.ask({ id, key: KEY }, NEVER)).toEqual({ end: "closed" });
  });
});

describe("a hook that waits", () => {
  it("goes on when its agent has the answer from elsewhere", async () => {
    const { prompt, store, started, decision } = await asked();
    const hook = hookIn(started(), store, prompt);
    await takeIn(store, [monitorEvent("agent:turn", {})]);
    expect(await hook).toBeUndefined();
    expect(await decision()).toMatchObject({ state: "dismissed" });
  });

  it("goes on at the next daemon when this one ends", async () => {
    const { id, started } = await asked();
    const monitor = started();
    const waiting = monitor.ask({ id, key: KEY }, NEVER);
    const lost = expect(waiting).rejects.toMatchObject({ code: "monitor_unreachable" });
    monitor.close();
    await lost;
  });

  it("takes its question back when it ends without a word, and not while it asks again", async () => {
    const { id, started, decision } = await asked();
    const monitor = started();
    const gone = new AbortController();
    const waiting = monitor.ask({ id, key: KEY }, gone.signal);
    await monitor.withdraw({ id, key: KEY });
    expect((await decision())?.state).toBe("open");
    const ended = expect(waiting).rejects.toThrow("Nobody waits any more.");
    gone.abort();
    await ended;
    await monitor.withdraw({ id, key: KEY });
    await eventually(async () =>
      expect(await decision()).toMatchObject({ state: "dismissed", resolved: { by: NO_LONGER_ASKED.by } }),
    );
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

  it("is recorded as taken after all when the hook says so late", async () => {
    const { id, store, started, decision } = await asked();
    await started().resolve(id, ALLOW, ME);
    const open = await decision();
    if (open?.resolved !== undefined) {
      const resolved = { ...open.resolved, fate: "late" } as const;
      await store.update((tables) => tables.putDecision({ ...open, resolved }));
    }
    const given_at = new Date().toISOString();
    const taken = { prompt: id, answer: { allow: true }, ...ME, at: open?.resolved?.at, given_at };
    await takeIn(store, [monitorEvent("agent:answer", taken)]);
    expect(await decision()).toMatchObject({ resolved: { ...ME, fate: "given", given_at } });
  });
});
