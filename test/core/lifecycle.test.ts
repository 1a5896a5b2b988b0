import { context, createHooks, deny } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

describe("the lifecycle functions", () => {
  it("end a session where its block ends", async () => {
    const hooks = createHooks();
    const reasons: unknown[] = [];
    hooks.on("SessionEnd", ({ reason }) => void reasons.push(reason));
    await using session = await hooks.session(HERE);
    await session[Symbol.asyncDispose]();
    await session.end("again");
    expect(reasons).toEqual(["exit"]);
  });

  it("start and end a session, once", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(["SessionStart", "SessionEnd"], ({ event_id, timestamp, ...event }) => {
      seen.push(event);
    });
    hooks.on("SessionStart", () => context("be kind"));
    const session = await hooks.session({ ...HERE, profile: "ci", config: { a: 1 } });
    expect(session.decision.context.map(({ text }) => text)).toEqual(["be kind"]);
    expect(await session.end("done")).toBe(await session.end("again"));
    const common = { ...HERE, agent_id: "s1", agent_type: "main", host: "tenterhook" };
    expect(seen).toEqual([
      {
        ...common,
        seq: 1,
        hook_event_name: "SessionStart",
        source: "startup",
        profile: "ci",
        config: { a: 1 },
      },
      { ...common, seq: 2, hook_event_name: "SessionEnd", reason: "done", duration_ms: expect.any(Number) },
    ]);
  });

  it("end a session whose events count from the start when it begins again", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(["SessionStart", "SessionEnd"], ({ hook_event_name, seq }) => {
      seen.push([hook_event_name, seq]);
    });
    hooks.on("SessionStart", { once: true }, () => {
      seen.push("once");
    });
    for (let round = 0; round < 2; round += 1) await (await hooks.session(HERE)).end("done");
    const round = [["SessionStart", 1], "once", ["SessionEnd", 2]];
    expect(seen).toEqual([...round, ...round]);
  });

  it("report errors from an exception or from fields", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("Error", { tools: ["bash"] }, ({ error_type, error_message, severity, tool, stack_trace }) => {
      seen.push([error_type, error_message, severity, tool, typeof stack_trace]);
    });
    await hooks.error({ ...HERE, error: new TypeError("x is not a function"), tool: "Bash" });
    await hooks.error({
      ...HERE,
      error_type: "quota",
      error_message: "spent",
      severity: "critical",
      tool: "Bash",
    });
    await hooks.error({ ...HERE, error: "just text", tool: "Read" });
    expect(seen).toEqual([
      ["TypeError", "x is not a function", "error", "Bash", "string"],
      ["quota", "spent", "critical", "Bash", "undefined"],
    ]);
  });

  it("ask about a model switch and report checkpoints and memory, with the defaults of the table", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(["Checkpoint", "MemoryUpdate"], (event) => {
      seen.push([
        event.hook_event_name,
        Reflect.get(event, "checkpoint_type"),
        Reflect.get(event, "update_type"),
      ]);
    });
    hooks.on("ModelSwitch", { model_patterns: ["*opus*"] }, ({ triggered_by }) =>
      deny(`too dear (${triggered_by})`),
    );
    expect(await hooks.modelSwitch({ ...HERE, new_model: "claude-opus-5" })).toMatchObject({
      action: "deny",
      reason: "too dear (user)",
    });
    expect((await hooks.modelSwitch({ ...HERE, new_model: "claude-haiku" })).action).toBe("continue");
    await hooks.checkpoint({ ...HERE, checkpoint_id: "c1" });
    await hooks.memoryUpdate({ ...HERE, file_path: "AGENTS.md" });
    expect(seen).toEqual([
      ["Checkpoint", "auto", undefined],
      ["MemoryUpdate", undefined, "modified"],
    ]);
  });
});
