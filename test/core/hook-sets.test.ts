import { createHooks, deny, rewrite } from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";
import { thrown } from "../support/thrown.ts";

interface Deploys {
  "custom:deploy": { effects: "deny" };
}

it("a copy of a set with an overridden method, and methods taken out of a set, decide as the set does", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "gate" }, () => deny("no"));
  const copy = { ...hooks, close: async () => {} };
  const { fire } = hooks;
  expect(await copy.fire(bashCall())).toMatchObject({ action: "deny" });
  expect(await fire(bashCall())).toMatchObject({ action: "deny" });
  expect([internals(copy), copy.limits]).toEqual([internals(hooks), hooks.limits]);
  expect(await createHooks().include(copy).fire(bashCall())).toMatchObject({ action: "deny" });
});

it("a set wants an event that a hook for one tool listens to", () => {
  const hooks = createHooks();
  const off = hooks.on("PreToolUse", { tools: "Bash" }, () => deny("no"));
  expect([internals(hooks).wants("PreToolUse"), internals(hooks).wants("PostToolUse")]).toEqual([
    true,
    false,
  ]);
  off();
  expect(internals(hooks).wants("PreToolUse")).toBe(false);
});

it("a set has the limits it was given last", () => {
  const hooks = createHooks({ limits: { stop_continuations: 3 } });
  hooks.configure({ limits: { context_characters: 50 } });
  expect(hooks.limits).toMatchObject({ stop_continuations: 3, context_characters: 50 });
});

describe("changing a set at run time", () => {
  it("takes effect at the next event, not in the middle of one", async () => {
    const hooks = createHooks();
    let off = (): void => {};
    hooks.on("PreToolUse", { name: "first" }, () => {
      off();
      hooks.on("PreToolUse", { name: "new" }, () => undefined);
    });
    off = hooks.on("PreToolUse", { name: "removed" }, () => undefined);
    expect((await hooks.fire(bashCall())).runs.map((run) => run.name)).toEqual(["first", "removed"]);
    hooks.disable("first");
    expect((await hooks.fire(bashCall())).runs.map((run) => run.name)).toEqual(["new"]);
  });

  it("does not touch the recheck of an event that is being decided", async () => {
    const hooks = createHooks();
    const off = hooks.on("PreToolUse", { name: "leaves", priority: 1 }, (event) => {
      off();
      return event.tool_input.command === "rm" ? deny("no rm") : undefined;
    });
    hooks.on("PreToolUse", { name: "gate", priority: 1 }, (event) =>
      event.tool_input.command === "rm" ? deny("really") : undefined,
    );
    hooks.on("PreToolUse", { priority: 2, recheck: false }, () => {
      hooks.disable("gate");
      hooks.on("PreToolUse", { name: "late" }, () => deny("late"));
      return rewrite({ command: "rm" });
    });
    const decision = await hooks.fire(bashCall("ls"));
    expect(decision).toMatchObject({ action: "deny", reason: "no rm" });
    expect(decision.runs.some((run) => run.name === "late")).toBe(false);
  });

  it("of an unknown hook is refused with the nearest name", () => {
    const hooks = createHooks();
    hooks.on("Stop", { name: "test-guard" }, () => undefined);
    expect(thrown(() => hooks.disable("test-gaurd"))).toEqual([
      "unknown_hook",
      'There is no hook "test-gaurd". Did you mean "test-guard"?',
    ]);
  });
});

describe("including another set", () => {
  it("runs its hooks in the place where it was included, and sees its changes immediately", async () => {
    const team = createHooks();
    team.on("PreToolUse", { name: "team" }, () => undefined);
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "before" }, () => undefined);
    expect(hooks.include(team)).toBe(hooks);
    hooks.on("PreToolUse", { name: "after" }, () => undefined);
    const names = async (): Promise<string[]> => (await hooks.fire(bashCall())).runs.map((run) => run.name);
    expect(await names()).toEqual(["before", "team", "after"]);
    const off = team.on("PreToolUse", { name: "more" }, () => undefined);
    expect(await names()).toEqual(["before", "team", "more", "after"]);
    team.disable("team");
    off();
    expect(await names()).toEqual(["before", "after"]);
    hooks.enable("team");
    expect(await names()).toEqual(["before", "team", "after"]);
    expect(team.list().map((hook) => hook.enabled)).toEqual([true]);
  });

  it("a set that includes another knows its declared events", async () => {
    const team = createHooks<Deploys>();
    team.declare("custom:deploy", { effects: ["deny"] });
    const hooks = createHooks<Deploys>().include(team);
    hooks.on("custom:deploy", () => deny("freeze"));
    expect((await hooks.fire({ ...bashCall(), hook_event_name: "custom:deploy" })).action).toBe("deny");
  });

  it("knows events of one agent that the other set declared", async () => {
    const team = createHooks();
    team.declare("claude:ConfigChange", { effects: ["deny"] });
    team.on("claude:ConfigChange", () => deny("frozen"));
    const hooks = createHooks().include(team);
    expect((await hooks.fire({ ...bashCall(), hook_event_name: "claude:ConfigChange" })).action).toBe("deny");
  });

  it("in two ways runs its hooks once", async () => {
    const base = createHooks();
    base.on("PreToolUse", { name: "base" }, () => undefined);
    const hooks = createHooks().include(createHooks().include(base)).include(base);
    expect((await hooks.fire(bashCall())).runs.length).toBe(1);
  });

  it("sets that include each other are refused", () => {
    const one = createHooks();
    const two = createHooks().include(one);
    expect(thrown(() => one.include(two))).toEqual(["include_cycle", "This hook set would include itself."]);
    expect(thrown(() => one.include(one))).toEqual(["include_cycle", "This hook set would include itself."]);
  });
});
