import { createHooks, type Decided, deny, type RunEvent, rewrite } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";

describe("observers", () => {
  it("are notified of begin, live output and end of each run with its record", async () => {
    const events: RunEvent[] = [];
    const hooks = createHooks();
    hooks.observe({ onRun: (event) => events.push(event) });
    hooks.on("PreToolUse", { name: "guard" }, async (_event, { output }) => {
      output("checking\n");
      output("hm\n", "stderr");
      return deny("no");
    });
    const { runs } = await hooks.fire({ ...bashCall(), tool_use_id: "t1" });
    const base = {
      run_id: events[0]?.run_id,
      hook: "guard",
      hook_event_name: "PreToolUse",
      event_id: runs[0]?.event_id,
      session_id: "s1",
      tool_use_id: "t1",
    };
    expect(events).toEqual([
      { ...base, type: "begin", handler: "function", started_at: runs[0]?.started_at, recheck: false },
      { ...base, type: "output", stream: "stdout", text: "checking\n" },
      { ...base, type: "output", stream: "stderr", text: "hm\n" },
      { ...base, type: "end", run: runs[0] },
    ]);
  });

  it("are notified of a recheck as a separate run", async () => {
    const observed: unknown[] = [];
    const hooks = createHooks();
    hooks.observe({ onRun: (event) => observed.push([event.type, event.run_id.split(".")[1]]) });
    hooks.on("PreToolUse", () => rewrite({ command: "b" }));
    await hooks.fire(bashCall("a"));
    expect(observed).toEqual([
      ["begin", "0"],
      ["end", "0"],
      ["begin", "1"],
      ["end", "1"],
    ]);
  });

  it("are notified of the end on timeout, and of no output after it", async () => {
    const observed: string[] = [];
    const hooks = createHooks();
    hooks.observe({
      onRun: (event) => observed.push(event.type === "end" ? `end ${event.run.failure?.kind}` : event.type),
    });
    let late: (text: string) => void = () => {};
    hooks.on("PreToolUse", { timeout: 0.01 }, (_event, { output }) => {
      late = output;
      return new Promise<undefined>(() => {});
    });
    await hooks.fire(bashCall());
    late("too late");
    expect(observed).toEqual(["begin", "end timeout"]);
  });

  it("can be added and removed, and what they throw changes nothing", async () => {
    const hooks = createHooks();
    hooks.observe({
      onRun: () => {
        throw new Error("bad observer");
      },
    });
    const observed: string[] = [];
    const off = hooks.observe({ onRun: (event) => observed.push(event.type) });
    hooks.observe({
      onRun: async () => {
        throw new Error("bad async observer");
      },
    });
    hooks.on("PreToolUse", () => undefined);
    expect((await hooks.fire(bashCall())).action).toBe("continue");
    off();
    await hooks.fire(bashCall());
    expect(observed).toEqual(["begin", "end"]);
  });
});

describe("observers of decisions", () => {
  it("are notified of every decision with its event, also when no hook took part", async () => {
    const observed: Decided[] = [];
    const hooks = createHooks();
    const off = hooks.observe({ onDecision: (decided) => observed.push(decided) });
    hooks.on("PreToolUse", { name: "guard", tools: ["Write"] }, () => deny("no"));
    const refused = await hooks.fire(bashCall("", { tool_name: "Write" }));
    const passed = await hooks.fire(bashCall("ls"));
    off();
    await hooks.fire(bashCall("pwd"));
    expect(
      observed.map(({ event, decision }) => [event.seq, event.tool_name, event.tool_input, decision]),
    ).toEqual([
      [1, "Write", { command: "" }, refused],
      [2, "Bash", { command: "ls" }, passed],
    ]);
    expect(observed[0]?.decision).toBe(refused);
  });

  it("are notified before fire returns when every hook is synchronous, as at the exit of a process", async () => {
    const hooks = createHooks();
    const observed: unknown[] = [];
    hooks.observe({
      onDecision: ({ event, decision }) => observed.push([event.hook_event_name, decision.action]),
    });
    hooks.on("PreToolUse", () => undefined);
    hooks.on("PreToolUse", () => deny("no"));
    const firing = hooks.fire(bashCall("ls"));
    expect(observed).toEqual([["PreToolUse", "deny"]]);
    await firing;
  });

  it("see the original event and the rewrite in the decision, and the Error event that a failure raised", async () => {
    const observed: unknown[] = [];
    const hooks = createHooks();
    hooks.observe({
      onDecision: ({ event, decision }) =>
        observed.push([event.hook_event_name, event.tool_input, decision.input]),
    });
    hooks.on("PreToolUse", { name: "change" }, () => rewrite({ command: "b" }));
    hooks.on("PreToolUse", { name: "broken", on_failure: "open" }, () => {
      throw new Error("broken");
    });
    await hooks.fire(bashCall("a"));
    expect(observed).toEqual([
      ["Error", undefined, undefined],
      ["PreToolUse", { command: "a" }, { command: "b" }],
    ]);
  });

  it("change nothing: what they throw is ignored, and an input that no hook judges need not be plain data", async () => {
    const hooks = createHooks();
    const observed: unknown[] = [];
    hooks.observe({
      onDecision: () => {
        throw new Error("bad observer");
      },
    });
    hooks.observe({ onDecision: ({ event }) => observed.push(event.tool_input) });
    const { action } = await hooks.fire(bashCall("", { tool_input: { run: () => 1, count: 10n } }));
    expect([action, observed]).toEqual(["continue", [{ count: "10" }]]);
  });

  it("are notified of a toolCall that no hook wants, whatever its input is", async () => {
    const hooks = createHooks();
    const observed: unknown[] = [];
    hooks.observe({
      onDecision: ({ event }) => observed.push([event.hook_event_name, event.tool_input, event.seq]),
    });
    const tool_input = { run: () => 7 };
    expect(await hooks.toolCall({ tool_name: "Bash", tool_input, execute: (input) => input })).toBe(
      tool_input,
    );
    expect(observed).toEqual([
      ["PreToolUse", {}, 1],
      ["PostToolUse", {}, 2],
    ]);
  });
});
