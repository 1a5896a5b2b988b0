import { allow, createHooks, type Decision, deny, type EventInput, type HookEvent } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall, HERE } from "../support/events.ts";

describe("firing an event", () => {
  it("decides continue and nothing else when no hook is registered", async () => {
    expect(await createHooks().fire(bashCall())).toEqual({
      action: "continue",
      context: [],
      user_messages: [],
      hook_inputs: [],
      runs: [],
    });
  });

  it("completes the event with what the engine owns, whatever the caller says", async () => {
    const hooks = createHooks();
    const seen: HookEvent<"PreToolUse">[] = [];
    hooks.on("PreToolUse", (event) => {
      seen.push(event);
    });
    await hooks.fire(bashCall());
    await hooks.fire({ ...bashCall(), event_id: "mine", seq: 99, timestamp: "never" });
    expect(seen).toEqual([
      {
        hook_event_name: "PreToolUse",
        event_id: expect.any(String),
        seq: 1,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        session_id: "s1",
        agent_id: "s1",
        agent_type: "main",
        cwd: "/project",
        host: "tenterhook",
        tool_name: "Bash",
        tool_input: { command: "ls" },
      },
      expect.objectContaining({
        seq: 2,
        event_id: expect.not.stringMatching(/^mine$/),
        timestamp: expect.not.stringMatching("never"),
      }),
    ]);
    expect(Math.abs(Date.parse(seen[0]?.timestamp ?? "") - Date.now())).toBeLessThan(60_000);
    expect(seen[0]?.event_id).not.toBe(seen[1]?.event_id);
  });

  it("counts events for each session separately, also those without a listening hook", async () => {
    const hooks = createHooks();
    const seen: [string, number][] = [];
    hooks.on("Notification", (event) => {
      seen.push([event.session_id, event.seq]);
    });
    const note = (session_id: string): EventInput => ({
      ...HERE,
      session_id,
      hook_event_name: "Notification",
      message: "hi",
    });
    await hooks.fire(note("a"));
    await hooks.fire({ ...bashCall(), session_id: "a" });
    await hooks.fire(note("a"));
    await hooks.fire(note("b"));
    expect(seen).toEqual([
      ["a", 1],
      ["a", 3],
      ["b", 1],
    ]);
  });

  it("keeps a foreign payload and the caller's own fields", async () => {
    const hooks = createHooks();
    let seen: unknown;
    hooks.on("PreToolUse", (event) => {
      seen = [event.native, Reflect.get(event, "permission_mode")];
    });
    await hooks.fire(bashCall("ls", { host: "claude", native: { raw: [1] }, permission_mode: "plan" }));
    expect(seen).toEqual([{ raw: [1] }, "plan"]);
  });

  it("asks hooks by priority, then scope, then in the order they came", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    const add = (name: string, priority?: number, scope?: "managed" | "user" | "project" | "local"): void => {
      hooks.on(
        "PreToolUse",
        { name, ...(priority !== undefined && { priority }), ...(scope && { origin: { scope } }) },
        () => {
          order.push(name);
        },
      );
    };
    add("code");
    add("local", 100, "local");
    add("project-1", 100, "project");
    add("managed", 100, "managed");
    add("project-2", 100, "project");
    add("user", 100, "user");
    add("late", 101, "managed");
    add("early", 1);
    await hooks.fire(bashCall());
    expect(order).toEqual(["early", "managed", "user", "project-1", "project-2", "local", "code", "late"]);
    expect(hooks.list().map((hook) => hook.name)).toEqual(order);
  });

  it("runs all hooks, also after a deny", async () => {
    const hooks = createHooks();
    const ran: string[] = [];
    hooks.on("PreToolUse", { name: "a" }, () => {
      ran.push("a");
      return deny("a");
    });
    hooks.on("PreToolUse", { name: "b" }, async () => {
      ran.push("b");
      return [allow(), deny("b")];
    });
    const decision = await hooks.fire(bashCall());
    expect(ran).toEqual(["a", "b"]);
    expect(decision).toMatchObject({ action: "deny", reason: "a\nb" });
  });

  it("writes a record for each hook that matched", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "quiet" }, () => undefined);
    hooks.on("PreToolUse", { name: "elsewhere", tools: ["Read"] }, () => deny());
    hooks.on("PreToolUse", { name: "strict" }, () => deny("no"));
    const { runs } = await hooks.fire(bashCall());
    const common = {
      handler: "function",
      event_id: runs[0]?.event_id,
      started_at: expect.any(String),
      duration_ms: expect.any(Number),
    };
    expect(runs).toEqual([
      { name: "quiet", ...common },
      { name: "strict", ...common, outcome: { action: "deny", reason: "no" } },
    ]);
  });

  it("shares one map of values among the hooks of an agent's run", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(["PreToolUse", "PostToolUse"], (event, { values }) => {
      const count = Number(values.get("count") ?? 0) + 1;
      values.set("count", count);
      seen.push([event.agent_id, count]);
    });
    await hooks.fire(bashCall());
    await hooks.fire({ ...bashCall(), hook_event_name: "PostToolUse" });
    await hooks.fire(bashCall("ls", { agent_id: "child", parent_agent_id: "s1" }));
    const values = new Map([["count", 41]]);
    await hooks.fire(bashCall(), { values });
    expect(seen).toEqual([
      ["s1", 1],
      ["s1", 2],
      ["child", 1],
      ["s1", 42],
    ]);
  });

  it("gives hooks the agent and the tool when the runtime fires", async () => {
    const hooks = createHooks();
    let seen: unknown;
    hooks.on("PreToolUse", (_event, { agent, tool }) => {
      seen = { agent, tool };
    });
    await hooks.fire(bashCall(), { agent: { id: "a", type: "main", model: "m" }, tool: { name: "Bash" } });
    expect(seen).toEqual({ agent: { id: "a", type: "main", model: "m" }, tool: { name: "Bash" } });
  });

  it("forgets a session when it ends", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("PreToolUse", ({ seq }, { values }) => {
      seen.push([seq, values.size]);
      values.set("x", 1);
    });
    await hooks.fire(bashCall());
    await hooks.fire({ ...HERE, hook_event_name: "SessionEnd" });
    await hooks.fire(bashCall());
    expect(seen).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it("gives every hook the same frozen event, and long lists without a copy", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("PreIteration", ({ messages }) => {
      seen.push(messages);
    });
    const messages = [{ role: "user", content: [{ text: "hi" }] }];
    await hooks.fire({ ...HERE, hook_event_name: "PreIteration", messages });
    const [first] = seen;
    expect(first).toEqual(messages);
    expect(first).not.toBe(messages);
    expect([first, Reflect.get(Object(first), 0)].every(Object.isFrozen)).toBe(true);
    if (!Array.isArray(first)) throw new Error("no list");
    await hooks.fire({ ...HERE, hook_event_name: "PreIteration", messages: first });
    expect(seen[1]).toBe(first);
  });
});

describe("an event that is wrong", () => {
  const fired = (event: unknown): Promise<Decision> => createHooks().fireUntyped(event);

  it.each([
    [undefined, "invalid_event", "An event must be an object."],
    [{ ...HERE }, "unknown_event", 'There is no event "undefined".'],
    [
      { ...HERE, hook_event_name: "PreTolUse" },
      "unknown_event",
      'There is no event "PreTolUse". Did you mean "PreToolUse"?',
    ],
    [
      { ...HERE, hook_event_name: "custom:x" },
      "unknown_event",
      'There is no event "custom:x". Declare it first with hooks.declare.',
    ],
    [{ ...bashCall(), session_id: "" }, "invalid_event", "PreToolUse: session_id must be a string."],
    [{ ...bashCall(), cwd: undefined }, "invalid_event", "PreToolUse: cwd is missing."],
    [{ ...bashCall(), tool_name: undefined }, "invalid_event", "PreToolUse: tool_name is missing."],
    [{ ...bashCall(), tool_input: "ls" }, "invalid_event", "PreToolUse: tool_input must be an object."],
    [{ ...bashCall(), tool_input: ["ls"] }, "invalid_event", "PreToolUse: tool_input must be an object."],
    [
      { ...HERE, hook_event_name: "PostToolBatch", tool_calls: {} },
      "invalid_event",
      "PostToolBatch: tool_calls must be a list.",
    ],
  ])("is refused by name: %j", async (event, code, message) => {
    await expect(fired(event)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("is refused by hooks.fire too, which fills in nothing but the folder", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(["Stop", "SessionStart", "SessionEnd"], ({ cwd }) => void seen.push(cwd));
    await hooks.fire({ hook_event_name: "Stop", session_id: "s1" });
    await hooks.fire({ hook_event_name: "Stop", session_id: "s1", cwd: "/project" });
    await (await hooks.session({ session_id: "s1" })).end();
    expect(seen).toEqual([process.cwd(), "/project", process.cwd(), process.cwd()]);
    const broken: unknown[] = [undefined, "Stop", { hook_event_name: "Stop" }];
    for (const event of broken)
      await expect(Reflect.apply(hooks.fire, undefined, [event])).rejects.toMatchObject({
        code: "invalid_event",
      });
  });
});
