import { createHooks, deny, type Hooks, isTenterhookError, rewrite } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

interface Custom {
  "custom:deploy": { fields: { plan?: object; target?: string }; effects: "deny" | "rewrite" };
  "custom:audit": { effects: "deny" };
}

describe("an event of the caller", () => {
  it("allows what was declared, fails closed when it can be denied, and has its own rewrite", async () => {
    const hooks = createHooks<Custom>();
    hooks.declare("custom:deploy", {
      effects: ["deny", "rewrite"],
      about: "target",
      rewrites: { plan: "input" },
      requires: ["plan"],
    });
    hooks.on("custom:deploy", { name: "shrink", recheck: false }, () => rewrite({ replicas: 1 }));
    const event = { ...HERE, hook_event_name: "custom:deploy", plan: { replicas: 9 } } as const;
    expect(await hooks.fire(event)).toMatchObject({ action: "continue", input: { replicas: 1 } });
    hooks.on("custom:deploy", () => {
      throw new Error("no idea");
    });
    expect((await hooks.fire(event)).action).toBe("deny");
    await expect(hooks.fire({ ...HERE, hook_event_name: "custom:deploy" })).rejects.toThrow(
      "custom:deploy: plan is missing.",
    );
  });

  it("refuses what was not declared", async () => {
    const hooks = createHooks<Custom>();
    hooks.declare("custom:audit", { effects: [] });
    hooks.on("custom:audit", () => deny("x"));
    const decision = await hooks.fire({ ...HERE, hook_event_name: "custom:audit" });
    expect([decision.action, decision.runs[0]?.failure?.kind]).toEqual(["continue", "bad_output"]);
  });

  it.each<[string, unknown, string]>([
    ["deploy", { effects: [] }, '"deploy" can\'t be declared.'],
    ["PreToolUse", { effects: [] }, '"PreToolUse" can\'t be declared.'],
    ["costum:x", { effects: [] }, '"costum:x" can\'t be declared. Did you mean "custom"?'],
    ["custom:x", { effects: ["denny"] }, "custom:x: effects must be a list of allow, ask, deny,"],
    [
      "custom:x",
      { effects: [], gates: true },
      'The declaration of custom:x has the unknown key "gates". Did you mean "gate"?',
    ],
  ])("can't be declared as %s with %j", (name, declaration, message) => {
    const hooks = createHooks();
    try {
      Reflect.apply(hooks.declare, hooks, [name, declaration]);
      expect.unreachable();
    } catch (error) {
      expect(isTenterhookError(error) && error.message.startsWith(message)).toBe(true);
    }
  });
});

describe("an event that one agent has", () => {
  it("can be watched without a declaration, and decided once it is declared", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("claude:ConfigChange", (event) => {
      seen.push(event.source);
    });
    const event = {
      ...HERE,
      host: "claude",
      hook_event_name: "claude:ConfigChange",
      source: "user_settings",
    } as const;
    expect((await hooks.fire(event)).action).toBe("continue");
    hooks.declare("claude:ConfigChange", { effects: ["deny"], about: "source" });
    hooks.on("claude:ConfigChange", () => deny("frozen"));
    expect((await hooks.fire(event)).action).toBe("deny");
    expect(seen).toEqual(["user_settings", "user_settings"]);
  });

  it.each<[string, (set: Hooks) => Hooks]>([
    ["this set", (set) => set],
    ["a set that includes it", (set) => createHooks().include(set)],
  ])("is decided in %s by its latest declaration, also when it was fired before", async (_, asked) => {
    const declaring = createHooks();
    const hooks = asked(declaring);
    hooks.on("claude:ConfigChange", () => deny("frozen"));
    const event = { ...HERE, host: "claude", hook_event_name: "claude:ConfigChange" } as const;
    const actions = [(await hooks.fire(event)).action];
    declaring.declare("claude:ConfigChange", { effects: ["context"] });
    actions.push((await hooks.fire(event)).action);
    declaring.declare("claude:ConfigChange", { effects: ["deny"] });
    actions.push((await hooks.fire(event)).action);
    expect(actions).toEqual(["deny", "continue", "deny"]);
  });
});
