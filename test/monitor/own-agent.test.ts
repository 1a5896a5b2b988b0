import { ask, createHooks } from "tenterhook";
import { Agent, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { isAnsweredHere } from "../../src/monitor/decisions/elsewhere.ts";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { dueAction } from "../../src/monitor/report/due.ts";
import { allSpooled } from "../../src/monitor/report/spool.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { echo, says, story } from "../agent/support/agents.ts";
import { eventually } from "../support/processes.ts";
import { stopClock } from "../support/stop-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openStore } from "./support/open-store.ts";
import { deskOf } from "./support/waiting-hook.ts";

type Steps = Parameters<typeof scriptedModel>[0];

/** An agent whose hooks ask about every call, and what it reports. */
function reporting(steps: Steps, options: Partial<AgentOptions> = {}) {
  const folder = temporaryFolder();
  const environment = { HOME: folder, XDG_STATE_HOME: folder, ...options.environment };
  const hooks = createHooks();
  hooks.on("PreToolUse", () => ask("sure?"));
  const agent = new Agent({
    model: scriptedModel(steps),
    tools: [echo],
    mode: "bypass",
    cwd: folder,
    monitor: true,
    limits: { model_retries: 0 },
    ...options,
    hooks,
    environment,
  });
  onTestFinished(() => agent.close());
  const events = () => allSpooled(environment);
  const states = (): readonly string[] => {
    let status: AgentStatus | undefined;
    return events().map((event) => {
      status = reduce(status, event);
      return `${event.type} ${status.state}`;
    });
  };
  return { agent, environment, events, states };
}

const CALL: Steps = [{ tool_calls: [says("a")] }, { text: "Done." }];

describe("an agent of a program", () => {
  it("reports what it does, from its start to its end", async () => {
    const { agent, events, states } = reporting([{ text: "Hello." }, { text: "Again." }]);
    await agent.run("Hi.");
    await agent.run("Hi again.", { close: true });
    expect(states()).toEqual([
      "agent:start starting",
      "agent:turn working",
      "agent:stopped idle",
      "agent:turn working",
      "agent:stopped idle",
      "agent:exit exited",
    ]);
    const { session_id, agent_id } = agent;
    expect(events()[0]).toMatchObject({ agent_id, session_id, host: "tenterhook", agent_pid: process.pid });
  });

  it("leaves nothing on its hook set when it is closed, also before its session has started", async () => {
    const observers = new Set<object>();
    const made = createHooks();
    const hooks: typeof made = {
      ...made,
      observe: (observer) => {
        observers.add(observer);
        const off = made.observe(observer);
        return () => {
          observers.delete(observer);
          off();
        };
      },
    };
    const folder = temporaryFolder();
    const environment = { HOME: folder, XDG_STATE_HOME: folder };
    const options = { hooks, tools: [echo], cwd: folder, monitor: true, environment };
    const agent = new Agent({ ...options, model: scriptedModel([{ text: "Hello." }]) });
    expect(observers.size).toBe(1);
    await agent.close();
    expect(observers.size).toBe(0);
    const failing = new Agent({ ...options, model: "nobody/nothing" });
    await expect(failing.run("Hi.", { close: true })).rejects.toThrow("nobody");
    expect(observers.size).toBe(0);
  });

  it("reports the error that ended its run, before its end", async () => {
    const { agent, states, events } = reporting([{ error: { message: "Too many requests", status: 429 } }]);
    await agent.run("Hi.", { close: true });
    expect(states().slice(-2)).toEqual(["agent:error failed", "agent:exit exited"]);
    expect(events().at(-2)).toMatchObject({ error_message: expect.stringContaining("Too many requests") });
  });

  it("has the name that it is started with, and reports without the option then", async () => {
    const started = reporting([{ text: "Hello." }], { environment: { TENTERHOOK_AGENT_ID: "worker-1" } });
    await started.agent.run("Hi.");
    expect(started.events().map(({ agent_id }) => agent_id)).toContain("worker-1");
    const named = reporting([{ text: "Hello." }], { monitor: { name: "painter" } });
    await named.agent.run("Hi.");
    expect(named.events()[0]).toMatchObject({ agent_id: "painter" });
    const quiet = reporting([{ text: "Hello." }], { monitor: false });
    await quiet.agent.run("Hi.");
    expect(quiet.events()).toEqual([]);
  });

  it("shows nothing in the monitor that is answered at once", async () => {
    const { agent, events } = reporting(CALL, { approval: () => true });
    await agent.run("Go.");
    expect(events().filter(({ type }) => type === "agent:prompt")).toEqual([]);
  });

  it("is refused where nobody can be asked, unless the monitor may answer", async () => {
    const { agent } = reporting(CALL);
    await agent.run("Go.");
    expect(story(agent.transcript())[2]).toContain("there is nobody to ask");
    const held = reporting(CALL, { monitor: { answer: true } });
    const run = held.agent.run("Go.");
    await eventually(() => expect(held.states().at(-1)).toBe("agent:prompt prompting"));
    const desk = await deskOf(held.environment);
    desk.answer(held.events().at(-1)?.id ?? "", "no, use b");
    await run;
    expect(story(held.agent.transcript())[2]).toBe("tool fails: The user refused this call: no, use b");
  });
});

describe("what an agent asks", () => {
  const asksFor = async (approval: AgentOptions["approval"]) => {
    stopClock();
    const { agent, events } = reporting(CALL, { monitor: { answer: true }, ...(approval && { approval }) });
    const run = agent.run("Go.");
    await eventually(() => expect(events().at(-1)).toMatchObject({ type: "agent:prompt" }));
    const asked = events().at(-1);
    agent.interrupt("enough");
    await run;
    return asked;
  };

  it.each([[{ timeout: 600 }], [{ timeout: { permission: 600, question: 5 } }]])(
    "waits until the time of its options is over: %j",
    async (approval) => {
      const asked = await asksFor(approval);
      expect(asked?.waits_until).toBe(new Date(Date.now() + 600_000).toISOString());
    },
  );

  it("waits without an end where there is no such time", async () => {
    const asked = await asksFor({ timeout: { question: 5 } });
    expect(asked).not.toHaveProperty("waits_until");
    const store = await openStore();
    await takeIn(store, asked === undefined ? [] : [asked]);
    const [decision] = await store.decisions("open");
    expect(decision).toMatchObject({ prompt: asked?.id });
    expect(decision && isAnsweredHere(decision)).toBe(true);
  });
});

describe("a question in two places", () => {
  it("counts as the monitor answers it when both answer in one moment", async () => {
    const told: unknown[] = [];
    const { agent, environment, events } = reporting(CALL, {
      approval: async (_, signal) => {
        signal.addEventListener("abort", () => told.push(String(signal.reason)));
        await eventually(() => expect(events().at(-1)).toMatchObject({ type: "agent:prompt" }));
        desk.answer(events().at(-1)?.id ?? "", { allow: false, feedback: "stop" });
        return true;
      },
    });
    const desk = await deskOf(environment);
    await agent.run("Go.");
    expect(story(agent.transcript())[2]).toBe("tool fails: The user refused this call: stop");
    expect(told).toEqual(["Error: Answered elsewhere: refused by you: stop."]);
    expect(events().filter(({ type }) => type === "agent:answer")).toMatchObject([
      { answer: { allow: false, feedback: "stop" }, given_at: expect.any(String), taken: true },
    ]);
  });

  it("is answered at the agent when the monitor's answer of the same moment does not fit", async () => {
    const { agent, environment, events } = reporting(CALL, {
      approval: async () => {
        await eventually(() => expect(events().at(-1)).toMatchObject({ type: "agent:prompt" }));
        desk.answer(events().at(-1)?.id ?? "", { perhaps: 1 });
        return true;
      },
    });
    const desk = await deskOf(environment);
    await agent.run("Go.");
    expect(story(agent.transcript())[2]).toBe("tool answers: a");
  });

  it("can't be answered in the monitor any more once the agent has the answer", async () => {
    const { agent, environment, events } = reporting(CALL, { approval: async () => true });
    const desk = await deskOf(environment);
    await agent.run("Go.");
    const prompt = events().find(({ type }) => type === "agent:prompt")?.id ?? "";
    expect(events().find(({ type }) => type === "agent:answer")).toMatchObject({ prompt, answer: true });
    expect(desk.answer(prompt, false)).toBe(false);
  });

  it("is taken back when the agent is interrupted", async () => {
    const { agent, events } = reporting(CALL, { monitor: { answer: true } });
    const run = agent.run("Go.");
    await eventually(() => expect(events().at(-1)).toMatchObject({ type: "agent:prompt" }));
    agent.interrupt("enough");
    await run;
    const taken = events().find(({ type }) => type === "agent:answer");
    expect(taken).toMatchObject({ by: "enough" });
    expect(taken).not.toHaveProperty("answer");
  });
});

it("an agent that its user has interrupted says so: it is idle, and nobody has to wake it", async () => {
  const { agent, events, states } = reporting(CALL, { monitor: { answer: true } });
  const run = agent.run("Go.");
  await eventually(() => expect(states().at(-1)).toBe("agent:prompt prompting"));
  agent.interrupt("enough");
  await run;
  const status = events().reduce<AgentStatus | undefined>(reduce, undefined);
  expect(status).toMatchObject({ state: "idle", interrupted: true, source: "hook" });
  expect(status && dueAction(status, { on_idle: "escalate" }, { now: Date.now() + 600_000 })).toBeUndefined();
});
