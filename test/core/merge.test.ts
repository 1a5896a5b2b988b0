import {
  type Action,
  abort,
  allow,
  answer,
  ask,
  context,
  createHooks,
  deny,
  hookInput,
  keepGoing,
  type Outcome,
  retry,
  userMessage,
} from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE, stop } from "../support/events.ts";

describe("merging the answers of hooks", () => {
  const outcomes: Record<string, Outcome | undefined> = {
    nothing: undefined,
    allow: allow(),
    ask: ask("a"),
    deny: deny("d"),
  };

  it.each<[keyof typeof outcomes, keyof typeof outcomes, Action]>([
    ["nothing", "nothing", "continue"],
    ["nothing", "allow", "allow"],
    ["allow", "ask", "ask"],
    ["ask", "deny", "deny"],
    ["allow", "deny", "deny"],
  ])("takes the stronger of %s and %s in either order", async (one, other, action) => {
    for (const pair of [
      [one, other],
      [other, one],
    ]) {
      const hooks = createHooks();
      for (const name of pair)
        internals(hooks).register("PreToolUse", {}, { type: "function", run: () => outcomes[name] });
      expect((await hooks.fire(bashCall())).action).toBe(action);
    }
  });

  it("joins the reasons of the winning action, each once", async () => {
    const hooks = createHooks();
    for (const reason of ["one", "two", "one"]) hooks.on("PreToolUse", () => deny(reason));
    hooks.on("PreToolUse", () => ask("really?"));
    expect((await hooks.fire(bashCall())).reason).toBe("one\ntwo");
  });

  it("returns context and messages with the hook that gave them", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "a" }, () => [context("x"), userMessage("hi")]);
    hooks.on("PreToolUse", { name: "b" }, () =>
      context("y", { role: "system", lifetime: "session", recorded: false }),
    );
    hooks.on("PreToolUse", { name: "c" }, () => [userMessage("uh", "warning"), deny("no")]);
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "deny",
      context: [
        { text: "x", hook: "a", role: "user", lifetime: "turn", recorded: true },
        { text: "y", hook: "b", role: "system", lifetime: "session", recorded: false },
      ],
      user_messages: [
        { text: "hi", level: "info", hook: "a" },
        { text: "uh", level: "warning", hook: "c" },
      ],
    });
  });

  it("joins all reasons to keep going", async () => {
    const hooks = createHooks();
    hooks.on("Stop", () => keepGoing("tests fail"));
    hooks.on("SubagentStop", () => keepGoing("not yet"));
    hooks.on("Stop", () => keepGoing("lint fails"));
    expect((await hooks.fire(stop())).keep_going).toEqual({ reason: "tests fail\nlint fails" });
    expect((await hooks.fire({ ...HERE, hook_event_name: "SubagentStop" })).keep_going).toEqual({
      reason: "not yet",
    });
  });

  it("takes the first answer in hook order", async () => {
    const hooks = createHooks();
    hooks.on("AgentPrompt", async () => answer({ plan: "accept" }));
    hooks.on("AgentPrompt", () => answer("late"));
    expect(
      (await hooks.fire({ ...HERE, hook_event_name: "AgentPrompt", prompt_type: "plan_approval" })).answer,
    ).toEqual({
      plan: "accept",
    });
  });

  it("passes on hook inputs in order, and a retry with its reason", async () => {
    const hooks = createHooks();
    hooks.on("TurnEnd", { name: "one" }, () => [hookInput("a"), hookInput("b")]);
    hooks.on("TurnEnd", { name: "two" }, () => hookInput("c"));
    hooks.on("Error", () => retry("flaky"));
    expect((await hooks.fire({ ...HERE, hook_event_name: "TurnEnd" })).hook_inputs).toEqual([
      { hook: "one", text: "a" },
      { hook: "one", text: "b" },
      { hook: "two", text: "c" },
    ]);
    const error = {
      ...HERE,
      hook_event_name: "Error",
      error_type: "overloaded",
      error_message: "529",
    } as const;
    expect((await hooks.fire(error)).retry).toEqual({ reason: "flaky" });
  });

  it("ends the run on abort: later hooks are not asked, and a gate refuses", async () => {
    const hooks = createHooks();
    let asked = false;
    hooks.on("PreToolUse", { name: "stopper" }, () => abort("enough"));
    hooks.on("PreToolUse", { name: "later" }, () => {
      asked = true;
    });
    const decision = await hooks.fire(bashCall());
    expect(decision).toMatchObject({ action: "deny", reason: "enough", abort: { reason: "enough" } });
    expect(decision.runs.map((run) => [run.name, run.skipped])).toEqual([
      ["stopper", undefined],
      ["later", "abort"],
    ]);
    expect(asked).toBe(false);
    hooks.on("Notification", () => abort());
    const note = await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "hi" });
    expect(note).toMatchObject({ action: "continue", abort: {} });
  });
});
