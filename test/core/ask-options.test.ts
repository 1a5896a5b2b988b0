import { allow, ask, context, createHooks, deny, rewrite } from "tenterhook";
import type { Choose } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE } from "../support/events.ts";

const OPTIONS = ["staging", { label: "production", description: "Customers see it." }] as const;

/** Hooks of which one asks where to deploy and puts the choice into the command. */
function deploying() {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on("PreToolUse", { name: "where" }, ({ choice, tool_input }) => {
    seen.push(choice);
    if (choice === undefined) return ask("Deploy where?", { options: OPTIONS });
    if (choice === "production") return deny("Not on a Friday.");
    return [allow(), rewrite({ command: `${tool_input.command} ${choice}` })];
  });
  return { hooks, seen };
}

describe("a hook that asks with options", () => {
  it("runs again with what a human chose, and what it says then counts", async () => {
    const { hooks, seen } = deploying();
    const asked: unknown[] = [];
    const choose: Choose = ({ event: { tool_name }, ...rest }) => {
      asked.push({ ...rest, tool_name });
      return "staging";
    };
    const decision = await hooks.fire(bashCall("deploy"), { choose });
    expect(decision).toMatchObject({ action: "allow", input: { command: "deploy staging" } });
    expect(asked).toEqual([
      {
        hook: "where",
        reason: "Deploy where?",
        options: [{ label: "staging" }, { label: "production", description: "Customers see it." }],
        tool_name: "Bash",
      },
    ]);
    expect(seen[0]).toBeUndefined();
    expect(seen.slice(1).every((choice) => choice === "staging")).toBe(true);
    expect(decision.runs[0]?.outcome).toEqual({
      action: "ask",
      reason: "Deploy where?",
      options: ["staging", "production"],
    });
    expect(await hooks.fire(bashCall("deploy"), { choose: async () => "production" })).toMatchObject({
      action: "deny",
      reason: "Not on a Friday.",
    });
  });

  it("is not asked again about what it wrote itself, but other gates are", async () => {
    const { hooks, seen } = deploying();
    hooks.on("PreToolUse", { name: "gate", priority: 1 }, ({ tool_input }) =>
      String(tool_input.command).includes("staging") ? deny("Staging is down.") : undefined,
    );
    expect(await hooks.fire(bashCall("deploy"), { choose: () => "staging" })).toMatchObject({
      action: "deny",
      reason: "Staging is down.",
    });
    expect(seen).not.toContain("production");
  });

  it("refuses when the human does", async () => {
    const { hooks, seen } = deploying();
    expect(
      await hooks.fire(bashCall("deploy"), { choose: () => ({ refused: "wait for me" }) }),
    ).toMatchObject({ action: "deny", reason: "The user refused this call: wait for me" });
    expect(seen).toEqual([undefined]);
  });

  it("asks for a yes or no where nobody can choose, and names its options", async () => {
    const { hooks } = deploying();
    const plain = {
      action: "ask",
      reason: "Deploy where? (None of its options was chosen: staging, production.)",
    };
    expect(await hooks.fire(bashCall("deploy"))).toMatchObject(plain);
    expect(await hooks.fire(bashCall("deploy"), { choose: () => undefined })).toMatchObject(plain);
    const failing = await hooks.fire(bashCall("deploy"), { choose: () => "the moon" });
    expect(failing).toMatchObject(plain);
    expect(failing.user_messages[0]?.text).toBe(
      'The options of the hook where could not be offered: "the moon" is not one of its options.',
    );
  });

  it("asks nobody when another hook refuses", async () => {
    const { hooks } = deploying();
    hooks.on("PreToolUse", { name: "never", priority: 900 }, () => deny("never"));
    let asked = 0;
    const choose: Choose = () => {
      asked += 1;
      return "staging";
    };
    expect(await hooks.fire(bashCall("deploy"), { choose })).toMatchObject({
      action: "deny",
      reason: "never",
    });
    expect(asked).toBe(0);
  });

  it("may ask something else after a choice, but not without end", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "curious" }, ({ choice }) =>
      ask(`Now, ${choice}?`, { options: ["more"] }),
    );
    let asked = 0;
    const choose: Choose = () => {
      asked += 1;
      return "more";
    };
    expect(await hooks.fire(bashCall("x"), { choose })).toMatchObject({ action: "ask" });
    expect(asked).toBe(5);
  });

  it("leaves a plain ask of another hook to be answered", async () => {
    const { hooks } = deploying();
    hooks.on("PreToolUse", { name: "sure" }, () => [ask("Sure?"), context("Be careful.")]);
    expect(await hooks.fire(bashCall("deploy"), { choose: () => "staging" })).toMatchObject({
      action: "ask",
      reason: "Sure?",
      context: [{ text: "Be careful." }],
    });
  });

  it("can be chosen from in toolCall", async () => {
    const { hooks } = deploying();
    const ran = await hooks.toolCall({
      ...HERE,
      tool_name: "Bash",
      tool_input: { command: "deploy" },
      choose: () => "staging",
      execute: ({ command }) => command,
    });
    expect(ran).toBe("deploy staging");
  });

  it.each([
    [[], "its options are not a list of 1 to 20"],
    [[""], "an option is neither a string nor an object with a label"],
    [["a", { label: "A" }], "two of its options have the same label"],
  ])("with the options %j asks, and is reported", async (options, fault) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "wrong" }, () => ask("Which?", { options }));
    const { action, runs } = await hooks.fire(bashCall("x"));
    expect([action, runs[0]?.failure?.message]).toEqual([
      expect.stringMatching(/ask|deny/),
      expect.stringContaining(fault),
    ]);
  });
});
