import {
  abort,
  createHooks,
  deny,
  EVENTS,
  type EventInput,
  type EventName,
  type HookEvent,
  HookFailureError,
  keepGoing,
  rewrite,
  userMessage,
} from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE, stop } from "../support/events.ts";
import { leastEvent } from "../support/least-events.ts";

const broken = (): never => {
  throw new Error("broken");
};

describe("a failing hook", () => {
  const gates = [
    "PreToolUse",
    "PermissionRequest",
    "UserPromptSubmit",
    "ModelSwitch",
    "SubagentStart",
    "AgentStart",
    "PreGeneration",
    "PostGeneration",
    "PreIteration",
  ];

  it.each(Object.keys(EVENTS) as EventName[])(
    "on %s is closed exactly when the event is a gate",
    async (name) => {
      const hooks = createHooks();
      hooks.on(name, { name: "broken" }, broken);
      const decision = await hooks.fire(leastEvent(name));
      expect(decision.action).toBe(gates.includes(name) ? "deny" : "continue");
      expect(decision.user_messages.map((message) => message.text)).toEqual([
        'Hook "broken" failed (error): Error: broken',
      ]);
    },
  );

  it.each([
    ["closed", "deny"],
    ["open", "continue"],
    ["ask", "ask"],
    [{ error: "open", default: "closed" }, "continue"],
    [{ timeout: "open" }, "deny"],
    [{ timeout: "open", default: "ask" }, "ask"],
  ] as const)("with on_failure %j gives %s", async (on_failure, action) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { on_failure }, broken);
    expect((await hooks.fire(bashCall())).action).toBe(action);
  });

  it("that is not trusted is reported together with others that are not for the same reason", async () => {
    const hooks = createHooks();
    const untrusted = (message: string) => () => {
      throw new HookFailureError("untrusted", message);
    };
    for (const name of ["a", "b", "c", "d", "e"])
      hooks.on("PreToolUse", { name }, untrusted(name === "b" ? "file:9: No." : "file:8: No."));
    const { action, reason, user_messages, runs } = await hooks.fire(bashCall());
    const lines = [
      'Hooks "a", "c", "d" and 1 more failed (untrusted): file:8: No.',
      'Hook "b" failed (untrusted): file:9: No.',
    ];
    const forModel = lines.map((line) => `${line} Ask the user to review the hooks.`);
    expect([action, reason, runs.length]).toEqual(["deny", forModel.join("\n"), 5]);
    const forUser = lines.map((line) => `${line} Look at what it does and trust it with: tenterhook trust`);
    expect(user_messages).toEqual([
      { text: forUser[0], level: "error", hook: "a" },
      { text: forUser[1], level: "error", hook: "b" },
    ]);
  });

  it("that is not trusted is reported together with a single other", async () => {
    const hooks = createHooks();
    for (const name of ["a", "b"])
      hooks.on("PreToolUse", { name }, () => {
        throw new HookFailureError("untrusted", "file:8: No.");
      });
    const { reason, user_messages } = await hooks.fire(bashCall());
    const line = 'Hooks "a", "b" failed (untrusted): file:8: No.';
    expect([reason, user_messages.map(({ text }) => text)]).toEqual([
      `${line} Ask the user to review the hooks.`,
      [`${line} Look at what it does and trust it with: tenterhook trust`],
    ]);
  });

  it("that wants to ask where there is no human to ask is closed", async () => {
    const hooks = createHooks();
    hooks.on("UserPromptSubmit", { on_failure: "ask" }, broken);
    expect((await hooks.fire({ ...HERE, hook_event_name: "UserPromptSubmit", prompt: "p" })).action).toBe(
      "deny",
    );
  });

  it("that is closed on Stop keeps the agent going, up to the ceiling, and is shown", async () => {
    const hooks = createHooks({ limits: { stop_continuations: 1 } });
    hooks.on("Stop", { name: "tests", on_failure: "closed" }, () => {
      throw new Error("no npm");
    });
    const text = 'Hook "tests" failed (error): Error: no npm';
    const { keep_going, user_messages } = await hooks.fire(stop());
    expect(keep_going).toEqual({ reason: expect.stringContaining(text) });
    expect(user_messages).toEqual([{ text: expect.stringContaining(text), level: "error", hook: "tests" }]);
    expect((await hooks.fire(stop({ stop_hook_active: true }))).keep_going).toBeUndefined();
  });

  it("that is closed on an event that can't be denied is reported and shown", async () => {
    const hooks = createHooks();
    hooks.on("Notification", { name: "n", on_failure: "closed" }, broken);
    const decision = await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
    expect(decision).toMatchObject({ action: "continue", user_messages: [{ hook: "n", level: "warning" }] });
  });

  it("may give the kind of its failure itself", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { on_failure: { missing: "open" } }, () => {
      throw new HookFailureError("missing", "guard.sh is not there");
    });
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "continue",
      runs: [{ failure: { kind: "missing", message: "guard.sh is not there" } }],
    });
  });

  it("whose matcher throws counts as failed, not as absent", async () => {
    const { createHooks: createPlain, defaultPorts } = await import("tenterhook/core");
    const paths = { spellings: broken };
    const hooks = createPlain({}, { ...defaultPorts(), paths });
    hooks.on("PreToolUse", { name: "paths", path_patterns: ["*.ts"] }, () => undefined);
    expect(await hooks.fire(bashCall("", { tool_input: { file_path: "a" } }))).toMatchObject({
      action: "deny",
      runs: [{ name: "paths", failure: { kind: "error", message: "Its matcher failed: Error: broken" } }],
    });
  });

  it("a failing hook can still refuse", async () => {
    const hooks = createHooks();
    const outcomes = [rewrite({ command: "x" }), keepGoing("y"), deny("no")];
    internals(hooks).register(
      "PreToolUse",
      { on_failure: "open" },
      { type: "function", run: () => outcomes },
    );
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "deny",
      reason: "no",
      runs: [{ failure: { kind: "bad_output" } }],
    });
    expect((await hooks.fire(bashCall())).input).toBeUndefined();
  });
});

describe("the Error event of a failure", () => {
  it("is raised once for each failure, with the tool and how often", async () => {
    const hooks = createHooks();
    const raised: HookEvent<"Error">[] = [];
    hooks.on("Error", (event) => {
      raised.push(event);
    });
    hooks.on("PreToolUse", { name: "guard" }, broken);
    await hooks.fire(bashCall("ls", { agent_id: "a1", agent_type: "coder", host: "claude", turn_id: "t1" }));
    await hooks.fire(bashCall());
    expect(raised.map(({ event_id, timestamp, seq, ...rest }) => rest)).toEqual([
      {
        hook_event_name: "Error",
        session_id: "s1",
        cwd: "/project",
        agent_id: "a1",
        agent_type: "coder",
        host: "claude",
        turn_id: "t1",
        tool: "Bash",
        error_type: "hook_error",
        error_message: 'Hook "guard" failed on PreToolUse (error): Error: broken',
        severity: "error",
        occurrence: 1,
      },
      expect.objectContaining({ occurrence: 2 }),
    ]);
  });

  it("is not raised by a failing Error hook", async () => {
    const hooks = createHooks();
    let fired = 0;
    hooks.on("Error", () => {
      fired += 1;
      return broken();
    });
    hooks.on("PreToolUse", broken);
    await hooks.fire(bashCall());
    expect(fired).toBe(1);
  });

  it("is raised once for a hook that fails in both passes", async () => {
    const hooks = createHooks();
    let fired = 0;
    hooks.on("Error", () => {
      fired += 1;
    });
    hooks.on("PreToolUse", { on_failure: "open", priority: 1 }, broken);
    hooks.on("PreToolUse", { recheck: false, priority: 2 }, () => rewrite({ command: "b" }));
    const { runs } = await hooks.fire(bashCall());
    expect(runs.filter((run) => run.failure).length).toBe(2);
    expect(fired).toBe(1);
  });

  it("lets its hooks end the run and tell the user", async () => {
    const hooks = createHooks();
    hooks.on("Error", { error_types: ["hook_*"] }, () => [userMessage("giving up"), abort("broken guard")]);
    hooks.on("PostToolUse", { name: "after" }, broken);
    const decision = await hooks.fire({ ...bashCall(), hook_event_name: "PostToolUse" });
    expect(decision).toMatchObject({ action: "continue", abort: { reason: "broken guard" } });
    expect(decision.user_messages.map((message) => message.text)).toContain("giving up");
  });
});

describe("an effect the event does not allow", () => {
  it.each<[EventInput, unknown, string]>([
    [
      leastEvent("Notification"),
      rewrite("x"),
      "it returned rewrite, which Notification does not allow (it allows user_message, abort)",
    ],
    [
      leastEvent("Stop"),
      deny("x"),
      "it returned deny, which Stop does not allow (it allows keep_going, user_message, abort)",
    ],
    [
      leastEvent("SessionEnd"),
      abort(),
      "it returned abort, which SessionEnd does not allow (it allows user_message)",
    ],
    [leastEvent("MemoryUpdate"), deny("x"), "it returned deny, which MemoryUpdate does not allow"],
    [
      leastEvent("Stop"),
      { type: "keep_going", reason: " " },
      "it returned keep_going, but it has no reason, and the agent needs one",
    ],
    [bashCall(), { type: "dney" }, 'it returned an outcome of the unknown type "dney". Did you mean "deny"?'],
  ])("on %j is reported: %j", async (event, outcome, message) => {
    const hooks = createHooks();
    internals(hooks).register(event.hook_event_name, {}, { type: "function", run: () => outcome });
    const [run] = (await hooks.fire(event)).runs;
    expect(run?.failure?.kind).toBe("bad_output");
    expect(run?.failure?.message).toContain(message);
  });

  it("is allowed on MemoryUpdate while the runtime has not written yet", async () => {
    const hooks = createHooks();
    hooks.on("MemoryUpdate", () => deny("not this file"));
    const event = leastEvent("MemoryUpdate");
    expect((await hooks.fire({ ...event, pending: true })).action).toBe("deny");
  });
});
