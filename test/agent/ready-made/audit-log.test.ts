import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks, deny } from "tenterhook";
import { auditLog } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, says, scratch } from "../support/agents.ts";

interface Line {
  readonly session_id: string;
  readonly event: { readonly hook_event_name: string; readonly tool_input?: unknown };
  readonly decision: { readonly action: string; readonly reason?: string };
}

function linesOf(file: string): readonly Line[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const call = {
  hook_event_name: "PreToolUse",
  session_id: "s",
  cwd: "/",
  tool_name: "Bash",
  tool_input: { command: "ls" },
} as const;

describe("auditLog", () => {
  it("writes every call and decision of a run as a line, in a file of this user alone", async () => {
    const file = join(scratch(), "logs/audit.jsonl");
    const { agent, hooks } = agentOf([{ tool_calls: [says("a"), says("b")] }]);
    hooks.observe({ onDecision: auditLog({ file }) });
    hooks.on("PreToolUse", ({ tool_input }) => (tool_input.text === "b" ? deny("not b") : undefined));
    await agent.run("go");
    const lines = linesOf(file);
    const calls = lines.filter(({ event }) => event.hook_event_name.includes("ToolUse"));
    expect(
      calls.map(({ event, decision }) => [
        event.hook_event_name,
        event.tool_input,
        decision.action,
        decision.reason,
      ]),
    ).toEqual([
      ["PreToolUse", { text: "a" }, "continue", undefined],
      ["PreToolUse", { text: "b" }, "deny", "not b"],
      ["PostToolUse", { text: "a" }, "continue", undefined],
    ]);
    expect(new Set(lines.map(({ event }) => event.hook_event_name))).toContain("UserPromptSubmit");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  });

  it("has the line in the file before the caller gets the decision", async () => {
    const file = join(scratch(), "audit.jsonl");
    const hooks = createHooks();
    hooks.observe({ onDecision: auditLog({ file }) });
    const before = await hooks.toolCall({ ...call, execute: async () => linesOf(file).length });
    expect(before).toBe(1);
    expect(linesOf(file)).toHaveLength(2);
  });

  it("writes no secrets", async () => {
    const file = join(scratch(), "audit.jsonl");
    const hooks = createHooks();
    hooks.observe({ onDecision: auditLog({ file, environment: { DEMO_TOKEN: "correct horse battery" } }) });
    await hooks.fire({
      ...call,
      tool_input: { command: `login --password=hunter2hunter "correct horse battery"` },
    });
    expect(linesOf(file)[0]?.event.tool_input).toEqual({
      command: 'login --password=[redacted] "[redacted]"',
    });
  });

  it("begins a new file when one is full, and removes none", async () => {
    const folder = scratch();
    const hooks = createHooks();
    hooks.observe({ onDecision: auditLog({ file: join(folder, "audit.jsonl"), file_bytes: 1000 }) });
    for (let at = 0; at < 20; at += 1) await hooks.fire({ ...call, session_id: `s${at}` });
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    expect(files.length).toBeGreaterThan(2);
    for (const name of files) {
      expect(name).toMatch(/^audit(\.[\w-]+)?\.jsonl$/);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const sessions = files.flatMap((name) => linesOf(join(folder, name))).map(({ session_id }) => session_id);
    expect(sessions.sort()).toEqual(Array.from({ length: 20 }, (_, at) => `s${at}`).sort());
  });

  it("reports once that it can't write, and decisions go on", async () => {
    const folder = scratch();
    const file = join(folder, "audit.jsonl");
    const hooks = createHooks();
    const reports: string[] = [];
    hooks.observe({ onDecision: auditLog({ file, report: (message) => reports.push(message) }) });
    hooks.on("PreToolUse", () => deny("no"));
    mkdirSync(join(folder, "target"));
    rmSync(file);
    symlinkSync(join(folder, "target/elsewhere"), file);
    expect((await hooks.fire(call)).action).toBe("deny");
    expect((await hooks.fire(call)).action).toBe("deny");
    expect(reports).toEqual([expect.stringContaining(`Can't write the audit log ${file}: `)]);
    expect(readdirSync(join(folder, "target"))).toEqual([]);
  });

  it("refuses a file that it can't write from the start", () => {
    const folder = scratch();
    writeFileSync(join(folder, "plain"), "");
    expect(() => auditLog({ file: folder })).toThrow(`Can't write the audit log ${folder}: `);
    expect(() => auditLog({ file: join(folder, "plain/audit.jsonl") })).toThrow("Can't write the audit log");
    expect(() => auditLog({ file: "" })).toThrow("auditLog: file must be a path");
    expect(() => auditLog({ file: join(folder, "a"), bytes: 3 } as never)).toThrow('unknown key "bytes"');
    expect(() => auditLog({ file: join(folder, "a"), file_bytes: 0 })).toThrow(
      "auditLog: file_bytes must be",
    );
  });
});
