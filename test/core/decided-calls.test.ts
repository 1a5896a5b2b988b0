import {
  abort,
  allow,
  answer,
  ask,
  context,
  createHooks,
  type DecidedCall,
  deny,
  rewrite,
  ToolDeniedError,
  ToolSuspendedError,
  userMessage,
} from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

const call = { ...HERE, tool_name: "refund", tool_input: { amount: 250 }, tool_use_id: "t1" } as const;
const execute = ({ amount }: Record<string, unknown>): string => `paid ${amount}`;

/** Asks about every refund, and counts how often it is asked itself. */
function asking() {
  const hooks = createHooks();
  let judged = 0;
  hooks.on("PreToolUse", { name: "large-refunds" }, ({ tool_input }) => {
    judged += 1;
    return ask(`${tool_input.amount} euros?`);
  });
  return { hooks, judged: () => judged };
}

/** As it comes back from a store, perhaps in another process. */
function stored(decided: DecidedCall): DecidedCall {
  return JSON.parse(JSON.stringify(decided));
}

describe("a call that is decided before it runs", () => {
  it("is plain data that says what was decided, and about what", async () => {
    const decided = await asking().hooks.decide(call);
    expect(stored(decided)).toEqual({
      call,
      tool_input: { amount: 250 },
      reason: "250 euros?",
      asked_by: ["hook large-refunds"],
      decision: expect.objectContaining({ action: "ask", reason: "250 euros?" }),
      needs_approval: true,
      judges: ["large-refunds"],
    });
  });

  it("runs without a second judgement, with hooks after it", async () => {
    const { hooks, judged } = asking();
    const after: unknown[] = [];
    hooks.on("PostToolUse", { name: "after" }, ({ tool_input, tool_use_id }) => {
      after.push([tool_input, tool_use_id]);
    });
    const decided = await hooks.decide(call);
    expect(await hooks.toolCall({ ...decided.call, decided, approval: true, execute })).toBe("paid 250");
    expect([judged(), after]).toEqual([1, [[{ amount: 250 }, "t1"]]]);
  });

  it("runs in another process, where the hooks are not asked", async () => {
    const decided = stored(await asking().hooks.decide(call));
    const other = asking();
    expect(await other.hooks.toolCall({ ...decided.call, decided, approval: true, execute })).toBe(
      "paid 250",
    );
    expect(other.judged()).toBe(0);
  });

  it("counts once: once hooks, tool calls, runs and what observers see", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("PreToolUse", { name: "first", once: true }, () => context("Only once."));
    hooks.observe({ onDecision: ({ event }) => void seen.push(event.hook_event_name) });
    for (const tool_use_id of ["t1", "t2"]) {
      const decided = await hooks.decide({ ...call, tool_use_id });
      await hooks.toolCall({ ...decided.call, decided, execute });
    }
    expect(hooks.stats()).toMatchObject([{ name: "first", runs: 1 }]);
    expect(seen).toEqual(["PreToolUse", "PostToolUse", "PreToolUse", "PostToolUse"]);
  });

  it("gives the tool what hooks made of the input", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "cap", recheck: false }, () => rewrite({ amount: 5 }));
    const originals: unknown[] = [];
    hooks.on("PostToolUse", ({ original_input }) => void originals.push(original_input));
    const decided = stored(await hooks.decide(call));
    expect(decided).toMatchObject({ call, tool_input: { amount: 5 }, needs_approval: false });
    expect(await hooks.toolCall({ ...decided.call, decided, execute })).toBe("paid 5");
    expect(originals).toEqual([{ amount: 250 }]);
  });

  it("gives the result that a hook answered, and the tool does not run", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => answer("from the cache"));
    const decided = stored(await hooks.decide(call));
    expect(await hooks.toolCall({ ...decided.call, decided, execute })).toBe("from the cache");
  });

  it.each([
    ["deny", deny("Nobody pays."), "Nobody pays."],
    ["abort", abort("Enough."), "Enough."],
  ])("does not run after %s", async (_, outcome, message) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "strict" }, () => outcome);
    const decided = stored(await hooks.decide(call));
    expect(decided.needs_approval).toBe(false);
    for (const approval of [undefined, true, () => true] as const) {
      const refused = hooks.toolCall({ ...decided.call, decided, approval, execute });
      await expect(refused).rejects.toThrow(ToolDeniedError);
      await expect(refused).rejects.toThrow(message);
    }
  });

  it("is refused where hooks are gone that had denied it", async () => {
    const hooks = createHooks();
    const remove = hooks.on("PreToolUse", { name: "strict" }, () => deny("Nobody pays."));
    const decided = await hooks.decide(call);
    remove();
    await expect(hooks.toolCall({ ...decided.call, decided, execute })).rejects.toThrow("Nobody pays.");
  });

  it("asks whoever can be asked, waits for who can not, and is refused otherwise", async () => {
    const { hooks, judged } = asking();
    const decided = await hooks.decide(call);
    const given = { ...decided.call, decided, execute };
    expect(await hooks.toolCall({ ...given, approval: ({ reason }) => reason === "250 euros?" })).toBe(
      "paid 250",
    );
    await expect(hooks.toolCall(given)).rejects.toThrow("nobody can be asked");
    await expect(hooks.toolCall({ ...given, suspend: true })).rejects.toThrow(ToolSuspendedError);
    await expect(hooks.toolCall({ ...given, approval: false })).rejects.toThrow(
      "The user refused this call.",
    );
    expect(judged()).toBe(1);
  });

  it("needs nobody where a human has granted it for the session", async () => {
    const { hooks } = asking();
    const approval = () => ({ allow: true, for: "session" }) as const;
    await hooks.toolCall({ ...call, approval, execute });
    const decided = await hooks.decide(call);
    expect([decided.decision.action, decided.needs_approval]).toEqual(["ask", false]);
    expect(await hooks.toolCall({ ...decided.call, decided, execute })).toBe("paid 250");
    expect((await hooks.decide({ ...call, tool_input: { amount: 900 } })).needs_approval).toBe(true);
  });

  it("judges what the human wrote into it", async () => {
    const { hooks } = asking();
    hooks.on("PreToolUse", { name: "most" }, ({ tool_input }) =>
      Number(tool_input.amount) > 1000 ? deny("Too much.") : undefined,
    );
    const decided = await hooks.decide(call);
    const edited = (amount: number) =>
      hooks.toolCall({
        ...decided.call,
        decided,
        approval: { allow: true, input: { amount } },
        execute,
      });
    expect(await edited(100)).toBe("paid 100");
    await expect(edited(5000)).rejects.toThrow("Too much.");
  });

  it("fires Suspend for a caller that stores it, and Resume with the answer", async () => {
    const seen: unknown[] = [];
    const { hooks } = asking();
    hooks.on("Suspend", { name: "s" }, ({ pending_tool_calls }) => void seen.push(pending_tool_calls));
    hooks.on("Resume", { name: "r" }, ({ answers }) => void seen.push(answers));
    const decided = await hooks.decide({ ...call, suspend: true });
    await hooks.toolCall({ ...decided.call, decided, approval: true, execute });
    expect(seen).toEqual([
      [{ tool_use_id: "t1", tool_name: "refund", tool_input: { amount: 250 } }],
      { t1: { allow: true } },
    ]);
  });

  it("takes the options of a whole call, and none of them is stored", async () => {
    const { hooks } = asking();
    const whole = { ...call, execute, approval: () => true, signal: new AbortController().signal };
    expect(stored(await hooks.decide(whole)).call).toEqual(call);
    const { tool_use_id: _, ...without } = call;
    expect((await hooks.decide(without)).call.tool_use_id).toMatch(/./);
  });

  it("has an input with a JSON form", async () => {
    await expect(createHooks().decide({ ...call, tool_input: { amount: 1n } })).rejects.toMatchObject({
      code: "invalid_event",
    });
  });

  it("throws the reason of a signal that was aborted", async () => {
    const signal = AbortSignal.abort(new Error("closed"));
    await expect(createHooks().decide({ ...call, signal })).rejects.toThrow("closed");
  });
});

describe("a decision is not believed, and the call is judged anew", () => {
  /** Lets 250 pass and denies the rest. */
  function strict() {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "only-250" }, ({ tool_input }) =>
      tool_input.amount === 250 ? allow() : deny("Not this one."),
    );
    return hooks;
  }

  it.each([
    ["with another input", { tool_input: { amount: 900 } }],
    ["with another input in another session", { tool_input: { amount: 900 }, session_id: "s2" }],
  ])("%s", async (_, other) => {
    const hooks = strict();
    const decided = await hooks.decide(call);
    expect(decided.decision.action).toBe("allow");
    await expect(hooks.toolCall({ ...decided.call, ...other, decided, execute })).rejects.toThrow(
      "Not this one.",
    );
  });

  it.each([
    ["for another tool", { tool_name: "wire" }],
    ["in another session", { session_id: "s2" }],
    ["in another folder", { cwd: "/elsewhere" }],
    ["as another call", { tool_use_id: "t2" }],
    ["of another agent", { agent_id: "a2" }],
  ])("%s", async (_, other) => {
    const { hooks, judged } = asking();
    const decided = await hooks.decide(call);
    const given = { ...decided.call, ...other, decided, approval: true, execute } as const;
    await hooks.toolCall(given);
    expect(judged()).toBe(2);
  });

  it("once a hook was added, which the answer does not count for", async () => {
    const { hooks, judged } = asking();
    const decided = await hooks.decide(call);
    const given = { ...decided.call, decided, approval: true, execute } as const;
    hooks.on("PreToolUse", { name: "weekend" }, () => ask("At the weekend?"));
    await expect(hooks.toolCall(given)).rejects.toThrow("the answer was given to another question");
    await expect(hooks.toolCall({ ...given, suspend: true })).rejects.toThrow(ToolSuspendedError);
    expect(judged()).toBe(3);
    hooks.on("PreToolUse", { name: "closed" }, () => deny("Closed."));
    await expect(hooks.toolCall(given)).rejects.toThrow("Closed.");
  });

  it("when a hook was added while others judged", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "adds" }, () => {
      if (hooks.list().length === 1) hooks.on("PreToolUse", { name: "late" }, () => deny("Late."));
    });
    const decided = await hooks.decide(call);
    expect(decided.decision.action).toBe("continue");
    await expect(hooks.toolCall({ ...decided.call, decided, execute })).rejects.toThrow("Late.");
  });

  it.each([
    ["nothing", undefined],
    ["a text", "allow"],
    ["an unknown action", { action: "maybe", runs: [], context: [], user_messages: [] }],
    ["no runs", { action: "allow" }],
    ["a name that every object has", { action: "constructor", runs: [], context: [], user_messages: [] }],
  ])("where the store lost part of it: %s", async (_, decision) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "strict" }, () => deny("Nobody pays."));
    const decided = JSON.parse(JSON.stringify({ ...(await hooks.decide(call)), decision }));
    await expect(hooks.toolCall({ ...call, decided, execute })).rejects.toThrow("Nobody pays.");
    await expect(hooks.toolCall({ ...call, decided: JSON.parse("{}"), execute })).rejects.toThrow(
      "Nobody pays.",
    );
  });
});

describe("tryToolCall", () => {
  function talking() {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "before" }, () => [context("Before."), userMessage("Paying.")]);
    hooks.on(["PostToolUse", "PostToolUseFailure"], { name: "after" }, () => context("After."));
    return hooks;
  }
  const texts = (items: readonly { readonly text: string }[]): readonly string[] =>
    items.map(({ text }) => text);

  it("returns the result with what hooks said around it", async () => {
    const outcome = await talking().tryToolCall({ ...call, execute });
    expect(outcome).toMatchObject({ ok: true, result: "paid 250" });
    expect([texts(outcome.context), texts(outcome.user_messages)]).toEqual([
      ["Before.", "After."],
      ["Paying."],
    ]);
  });

  it("returns the error of the tool with it", async () => {
    const error = new Error("no money");
    const outcome = await talking().tryToolCall({
      ...call,
      execute: () => {
        throw error;
      },
    });
    expect(outcome).toMatchObject({ ok: false, error });
    expect(texts(outcome.context)).toEqual(["Before.", "After."]);
  });

  it("returns a refusal and a call that waits with it", async () => {
    const hooks = talking();
    hooks.on("PreToolUse", { name: "guard" }, () => ask());
    const refused = await hooks.tryToolCall({ ...call, execute });
    const waiting = await hooks.tryToolCall({ ...call, suspend: true, execute });
    expect([refused, waiting]).toMatchObject([
      { ok: false, error: expect.any(ToolDeniedError) },
      { ok: false, error: expect.any(ToolSuspendedError) },
    ]);
    expect([refused, waiting].map((outcome) => texts(outcome.context))).toEqual([["Before."], ["Before."]]);
  });

  it("returns what hooks said when the call was decided, in another process too", async () => {
    const decided = stored(await talking().decide(call));
    const outcome = await talking().tryToolCall({ ...decided.call, decided, execute });
    expect(texts(outcome.context)).toEqual(["Before.", "After."]);
  });

  it("says once what hooks say twice of an edited call", async () => {
    const hooks = talking();
    hooks.on("PreToolUse", { name: "guard" }, () => ask());
    const approval = () => ({ allow: true, input: { amount: 1 } }) as const;
    const outcome = await hooks.tryToolCall({ ...call, approval, execute });
    expect(outcome).toMatchObject({ ok: true, result: "paid 1" });
    expect(texts(outcome.context)).toEqual(["Before.", "After."]);
  });

  it("never rejects, not even for a call that makes no sense", async () => {
    const broken = JSON.parse('{"tool_name":"refund","tool_input":{}}');
    expect(await createHooks().tryToolCall(broken)).toMatchObject({
      ok: false,
      error: {
        code: "invalid_option",
        message: "toolCall: refund needs execute, the function that runs it.",
      },
    });
  });
});
