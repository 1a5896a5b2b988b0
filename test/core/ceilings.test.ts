import { createHooks, type Decision, type Hooks, hookInput, keepGoing, type Limits, retry } from "tenterhook";
import { createHooks as createPlainHooks, defaultPorts } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE, stop } from "../support/events.ts";

/** Fires stops until the agent may stop; answers how often it was kept going. */
async function continuations(hooks: Hooks, more: object = {}): Promise<number> {
  for (let count = 0; ; count += 1) {
    const decision = await hooks.fire(stop({ stop_hook_active: count > 0, ...more }));
    if (decision.keep_going === undefined) return count;
  }
}

function stubborn(limits: Partial<Limits> = {}): Hooks {
  const hooks = createHooks({ limits });
  let count = 0;
  hooks.on(["Stop", "SubagentStop"], () => {
    count += 1;
    return keepGoing(`reason ${count}`);
  });
  return hooks;
}

describe("the ceiling on stop continuations", () => {
  it("counts for each session, agent and turn separately", async () => {
    const hooks = stubborn({ stop_continuations: 2 });
    expect(await continuations(hooks)).toBe(2);
    expect(await continuations(hooks, { session_id: "other" })).toBe(2);
    expect(await continuations(hooks, { agent_id: "child" })).toBe(2);
    await hooks.fire(stop());
    await hooks.fire({ ...HERE, hook_event_name: "UserPromptSubmit", prompt: "go on" });
    expect(await continuations(hooks)).toBe(2);
    expect(await continuations(hooks, { turn_id: "t2" })).toBe(2);
    expect(await continuations(hooks, { turn_id: "t3" })).toBe(2);
  });

  it("takes the caller's count when it is higher, never when it is lower", async () => {
    const hooks = stubborn({ stop_continuations: 5 });
    expect((await hooks.fire(stop({ continuations: 5 }))).keep_going).toBeUndefined();
    expect(await continuations(hooks, { session_id: "b", continuations: 0 })).toBe(5);
  });

  it("stays hit while the same turn goes on for another reason, and is lifted by a new turn", async () => {
    const hooks = stubborn({ stop_continuations: 1 });
    expect(await continuations(hooks)).toBe(1);
    expect((await hooks.fire(stop({ stop_hook_active: true }))).keep_going).toBeUndefined();
    expect((await hooks.fire(stop({ stop_hook_active: false }))).keep_going).toBeDefined();
  });

  it("the ceiling on stop continuations holds for subagents", async () => {
    const hooks = stubborn({ stop_continuations: 1 });
    const event = { ...HERE, agent_id: "child", hook_event_name: "SubagentStop" } as const;
    expect((await hooks.fire(event)).keep_going).toBeDefined();
    expect((await hooks.fire({ ...event, stop_hook_active: true })).keep_going).toBeUndefined();
  });

  it("counts again from the start once hooks have let the agent stop", async () => {
    const hooks = createHooks({ limits: { stop_continuations: 1 } });
    const answers = [keepGoing("tests fail"), undefined, keepGoing("the docs are missing")];
    hooks.on("Stop", () => answers.shift());
    const kept: (string | undefined)[] = [];
    for (const stop_hook_active of [false, true, false])
      kept.push((await hooks.fire(stop({ stop_hook_active }))).keep_going?.reason);
    expect(kept).toEqual(["tests fail", undefined, "the docs are missing"]);
  });

  it("is not reset by a child that stops in between", async () => {
    const hooks = stubborn({ stop_continuations: 3 });
    hooks.disable("Stop+SubagentStop#1");
    let count = 0;
    hooks.on("Stop", () => {
      count += 1;
      return keepGoing(`reason ${count}`);
    });
    let continued = 0;
    for (let round = 0; round < 10; round += 1) {
      if ((await hooks.fire(stop({ stop_hook_active: round > 0 }))).keep_going === undefined) break;
      continued += 1;
      await hooks.fire({ ...HERE, hook_event_name: "SubagentStop" });
    }
    expect(continued).toBe(3);
  });

  it("is shown and recorded as an Error event when it is hit", async () => {
    const hooks = stubborn({ stop_continuations: 0 });
    const errors: unknown[] = [];
    hooks.on("Error", ({ error_type, error_message }) => {
      errors.push([error_type, error_message]);
    });
    const decision = await hooks.fire(stop());
    const message = "Stop hooks have kept this turn going 0 times; the limit is 0.";
    expect(decision.user_messages).toEqual([
      {
        text: `A limit stopped the hooks (limits.stop_continuations): ${message}`,
        level: "warning",
        hook: "tenterhook",
      },
    ]);
    expect(errors).toEqual([["ceiling", message]]);
  });
});

describe("a ceiling that changes", () => {
  it("holds for the event whose hook lowers it", async () => {
    const hooks = createHooks({ limits: { stop_continuations: 5 } });
    hooks.on("Stop", async () => {
      await Promise.resolve();
      hooks.configure({ limits: { stop_continuations: 0 } });
      return keepGoing("not yet");
    });
    const { keep_going, user_messages } = await hooks.fire(stop());
    expect([keep_going, user_messages.map(({ text }) => text)]).toEqual([
      undefined,
      [
        "A limit stopped the hooks (limits.stop_continuations): Stop hooks have kept this turn going 0 times; the limit is 0.",
      ],
    ]);
  });

  it("is the caller's where the caller has one", async () => {
    const hooks = stubborn({ stop_continuations: 5 });
    expect((await hooks.fire(stop(), { limits: { stop_continuations: 0 } })).keep_going).toBeUndefined();
    expect((await hooks.fire(stop(), { limits: { hook_turns: 0 } })).keep_going).toBeDefined();
  });
});

describe("the ceiling on no progress", () => {
  async function sameReason(hooks: Hooks, between: () => Promise<unknown>): Promise<number> {
    for (let count = 0; ; count += 1) {
      const decision = await hooks.fire(stop({ stop_hook_active: count > 0 }));
      if (decision.keep_going === undefined) return count;
      await between();
    }
  }
  const monotonous = (): Hooks => {
    const hooks = createHooks();
    hooks.on("Stop", () => keepGoing("tests fail"));
    return hooks;
  };

  it("is the third stop with the same reason and no tool call between", async () => {
    const hooks = monotonous();
    await hooks.fire(bashCall());
    expect(await sameReason(hooks, async () => {})).toBe(2);
  });

  it("is not hit while tools are called, or when tool calls can't be seen", async () => {
    const hooks = monotonous();
    expect(await sameReason(hooks, () => hooks.fire(bashCall()))).toBe(8);
    expect(await sameReason(monotonous(), async () => {})).toBe(8);
  });

  it("sees tool calls that go through toolCall, also without a listening hook", async () => {
    const hooks = monotonous();
    await hooks.toolCall({ ...HERE, tool_name: "Bash", tool_input: {}, execute: () => 1 });
    expect(await sameReason(hooks, async () => {})).toBe(2);
  });
});

describe("the ceilings on time and tokens", () => {
  it("stop a turn from being continued after its seconds", async () => {
    let time = 0;
    const ports = {
      ...defaultPorts(),
      clock: { ...defaultPorts().clock, monotonic: () => time, now: () => time },
    };
    const hooks = createPlainHooks({ limits: { turn_seconds: 60 } }, ports);
    hooks.on("Stop", () => keepGoing(`at ${time}`));
    await hooks.fire({ ...HERE, hook_event_name: "TurnStart" });
    time = 60_000;
    expect((await hooks.fire(stop())).keep_going).toBeDefined();
    time = 60_001;
    const decision = await hooks.fire(stop({ stop_hook_active: true }));
    expect(decision.keep_going).toBeUndefined();
    expect(decision.user_messages[0]?.text).toBe(
      "A limit stopped the hooks (limits.turn_seconds): This turn has taken more than 60 s.",
    );
  });

  it("do not run while the session waits", async () => {
    let time = 0;
    const ports = {
      ...defaultPorts(),
      clock: { ...defaultPorts().clock, monotonic: () => time, now: () => time },
    };
    const hooks = createPlainHooks({ limits: { turn_seconds: 60 } }, ports);
    hooks.on("Stop", () => keepGoing(`at ${time}`));
    await hooks.session(HERE);
    time = 3_600_000;
    await hooks.fire(bashCall());
    expect((await hooks.fire(stop())).keep_going).toBeDefined();
  });

  it("stop a turn from being continued after its tokens", async () => {
    const hooks = stubborn({ turn_tokens: 100 });
    const response = {
      ...HERE,
      hook_event_name: "PostModelResponse",
      usage: { input_tokens: 40, output_tokens: 20 },
    } as const;
    await hooks.fire(response);
    expect((await hooks.fire(stop())).keep_going).toBeDefined();
    await hooks.fire(response);
    expect((await hooks.fire(stop({ stop_hook_active: true }))).user_messages[0]?.text).toBe(
      "A limit stopped the hooks (limits.turn_tokens): This turn has used 120 tokens; the limit is 100.",
    );
    expect(
      (await hooks.fire(stop({ session_id: "b", usage: { total_tokens: 101 } }))).keep_going,
    ).toBeUndefined();
    const usage = { total_tokens: 1000, cached_tokens: 900 };
    expect((await hooks.fire(stop({ session_id: "c", usage }))).keep_going).toBeDefined();
  });
});

describe("a turn that other processes have seen a part of", () => {
  const turnOf = async (turn_so_far: object): Promise<Decision> => {
    const hooks = createHooks({ limits: { turn_seconds: 60 } });
    hooks.on("Stop", () => keepGoing("tests fail"));
    return hooks.fire(stop(), { turn_so_far });
  };

  it("is not continued when its time is over, or when the reason was given often enough", async () => {
    expect((await turnOf({ milliseconds: 50_000, given_before: () => 1 })).keep_going).toBeDefined();
    expect((await turnOf({ milliseconds: 61_000 })).keep_going).toBeUndefined();
    const given_before = (reason: string) => (reason === "tests fail" ? 2 : 0);
    expect((await turnOf({ given_before })).user_messages[0]?.text).toContain("limits.same_stop_reason");
  });
});

describe("the ceiling on hook-started turns", () => {
  const turnEnd = (hooks: Hooks): Promise<Decision> => hooks.fire({ ...HERE, hook_event_name: "TurnEnd" });

  it("grants as many as are left and starts again with the user's next prompt", async () => {
    const hooks = createHooks({ limits: { hook_turns: 3 } });
    hooks.on("TurnEnd", () => [hookInput("a"), hookInput("b")]);
    expect((await turnEnd(hooks)).hook_inputs.map(({ text }) => text)).toEqual(["a", "b"]);
    const second = await turnEnd(hooks);
    expect(second.hook_inputs.map(({ text }) => text)).toEqual(["a"]);
    expect(second.user_messages[0]?.text).toContain(
      "Hooks have started 3 turns since the user's last prompt",
    );
    expect((await turnEnd(hooks)).hook_inputs).toEqual([]);
    await hooks.fire({ ...HERE, hook_event_name: "UserPromptSubmit", prompt: "p" });
    expect((await turnEnd(hooks)).hook_inputs.length).toBe(2);
  });

  it("counts turns that the caller says were started by a hook", async () => {
    const hooks = createHooks({ limits: { hook_turns: 2 } });
    hooks.on("TurnEnd", () => hookInput("again"));
    for (let turn = 0; turn < 2; turn += 1)
      await hooks.fire({ ...HERE, hook_event_name: "TurnStart", is_hook_input_turn: true });
    expect((await turnEnd(hooks)).hook_inputs).toEqual([]);
    await hooks.fire({ ...HERE, hook_event_name: "TurnStart", is_hook_input_turn: false });
    expect((await turnEnd(hooks)).hook_inputs.length).toBe(1);
  });

  it("takes an unexplained turn for the one that hooks asked for", async () => {
    const hooks = createHooks();
    hooks.on("TurnEnd", () => hookInput("again"));
    let turns = 0;
    while ((await turnEnd(hooks)).hook_inputs.length > 0) {
      turns += 1;
      await hooks.fire({ ...HERE, hook_event_name: "TurnStart" });
    }
    expect(turns).toBe(8);
  });

  it("does not touch an input that joins its own turn", async () => {
    const hooks = createHooks({ limits: { hook_turns: 0 } });
    hooks.on("TurnStart", () => hookInput("joins"));
    expect((await hooks.fire({ ...HERE, hook_event_name: "TurnStart" })).hook_inputs.length).toBe(1);
  });
});

describe("the ceiling on retries", () => {
  it("lets Error hooks ask for three in a turn", async () => {
    const hooks = createHooks();
    hooks.on("Error", () => retry());
    const error = {
      ...HERE,
      hook_event_name: "Error",
      error_type: "overloaded",
      error_message: "529",
    } as const;
    const retried: boolean[] = [];
    for (let count = 0; count < 5; count += 1) retried.push((await hooks.fire(error)).retry !== undefined);
    expect(retried).toEqual([true, true, true, false, false]);
    await hooks.fire({ ...HERE, hook_event_name: "TurnStart" });
    expect((await hooks.fire(error)).retry).toEqual({});
  });

  it("is not spent on the failures of hooks, and starts again when the agent has stopped", async () => {
    const hooks = createHooks();
    hooks.on("Error", () => retry());
    hooks.on("Notification", () => {
      throw new Error("broken");
    });
    const error = {
      ...HERE,
      hook_event_name: "Error",
      error_type: "overloaded",
      error_message: "529",
    } as const;
    for (let count = 0; count < 5; count += 1)
      await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
    for (let count = 0; count < 3; count += 1) expect((await hooks.fire(error)).retry).toEqual({});
    expect((await hooks.fire(error)).retry).toBeUndefined();
    await hooks.fire(stop());
    expect((await hooks.fire(error)).retry).toEqual({});
  });
});
