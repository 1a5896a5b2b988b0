import { describe, expect, it } from "vitest";
import type { NativePayload } from "../../../src/adapters/adapter.ts";
import { cursor } from "../../../src/adapters/cursor/cursor.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { cursorUnderstands } from "./understands.ts";

const { replyTo } = adapterSuite({
  adapter: cursor,
  understands: cursorUnderstands,
  unstoppable: ["UserPromptSubmit", "PreCompact"],
  silence: "{}",
  folderOf: ({ workspace_roots }) => (Array.isArray(workspace_roots) ? workspace_roots[0] : undefined),
});

const CALL: NativePayload = {
  conversation_id: "c1",
  generation_id: "g1",
  session_id: "c1",
  cursor_version: "1.0.0",
  workspace_roots: ["/home/dev/app"],
  transcript_path: null,
  user_email: null,
};

const call = (tool_name: string, tool_input: object, more: object = {}): NativePayload => ({
  ...CALL,
  hook_event_name: "preToolUse",
  tool_name,
  tool_input,
  tool_use_id: "t1",
  ...more,
});

describe("a payload of Cursor", () => {
  it("is about the folder of the call, below the workspace", () => {
    const shell = { command: "ls" };
    expect(cursor.decode(call("Shell", shell, { cwd: "" })).cwd).toBe("/home/dev/app");
    expect(cursor.decode(call("Shell", shell, { cwd: "web" })).cwd).toBe("/home/dev/app/web");
    expect(cursor.decode(call("Shell", shell, { cwd: "/srv" })).cwd).toBe("/srv");
  });

  it("names the tool of an MCP server as everybody does, with the server where Cursor says it", () => {
    expect(cursor.decode(call("MCP:say", {})).tool_name).toBe("mcp__cursor__say");
    const payload = {
      ...CALL,
      hook_event_name: "beforeMCPExecution",
      tool_name: "say",
      tool_input: '{"word":"hi"}',
      mcp_server_name: "demo",
      command: "node server.js",
    };
    expect(cursor.decode(payload)).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "mcp__demo__say",
      tool_input: { word: "hi" },
    });
  });

  it("has a result that hooks can look into", () => {
    const payload = {
      ...call("Write", { file_path: "a" }),
      hook_event_name: "postToolUse",
      tool_output: '{"success":true}',
    };
    expect(cursor.decode(payload)).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_response: { success: true },
    });
  });

  it("of a stop that follows another one says so", () => {
    const stop = { ...CALL, hook_event_name: "stop", status: "completed" };
    expect(cursor.decode({ ...stop, loop_count: 2 })).toMatchObject({ stop_hook_active: true });
    expect(cursor.decode({ ...stop, loop_count: 0 })).toMatchObject({ stop_hook_active: false });
  });
});

describe("a reply to Cursor", () => {
  it("refuses in Cursor's own words", async () => {
    expect(await replyTo(call("Shell", { command: "ls" }), { type: "deny", reason: "No." })).toMatchObject({
      stdout: '{"permission":"deny","user_message":"No."}',
      exit_code: 0,
      losses: [],
    });
  });

  it("refuses what a hook asks about, because Cursor would run it", async () => {
    const reply = await replyTo(call("Shell", { command: "ls" }), { type: "ask", reason: "Sure?" });
    expect(reply).toMatchObject({
      stdout: expect.stringContaining('"permission":"deny"'),
      losses: [{ effect: "ask", became: "deny" }],
    });
  });

  it.each([
    ["Shell", { command: "ls", cwd: "" }, { command: "ls -l", cwd: "" }],
    ["Read", { file_path: "a" }, { file_path: "b" }],
    ["MCP:say", { word: "a" }, { word: "b", loud: true }],
  ])("rewrites a call of %s", async (tool, before, next) => {
    expect(await replyTo(call(tool, before), { type: "rewrite", next })).toMatchObject({
      stdout: JSON.stringify({ updated_input: next }),
      losses: [],
    });
  });

  it.each([
    ["Write", { file_path: "a", content: "old" }, { file_path: "a", content: "new" }],
    ["Grep", { pattern: "a", glob: "*" }, { pattern: "a", glob: "*.ts" }],
    ["Shell", { command: "ls", cwd: "" }, { command: "ls" }],
    ["Task", { prompt: "a" }, { prompt: "b" }],
  ])("refuses a rewrite of %s that Cursor would ignore", async (tool, before, next) => {
    expect(await replyTo(call(tool, before), { type: "rewrite", next })).toMatchObject({
      stdout: expect.stringContaining('"permission":"deny"'),
      losses: [{ effect: "rewrite", became: "deny" }],
    });
  });

  it("does not repeat a rewrite of a call of an MCP server, and refuses another one", async () => {
    const payload = {
      ...CALL,
      hook_event_name: "beforeMCPExecution",
      tool_name: "say",
      tool_input: '{"word":"hi"}',
      mcp_server_name: "demo",
    };
    expect(await replyTo(payload, { type: "rewrite", next: { word: "hi" } })).toMatchObject({ stdout: "{}" });
    expect(await replyTo(payload, { type: "rewrite", next: { word: "ho" } })).toMatchObject({
      losses: [{ effect: "rewrite", became: "deny" }],
    });
  });

  it("drops a context that is too long for Cursor, and says so", async () => {
    const long = { type: "context", text: "x".repeat(6000) };
    expect(await replyTo(call("Read", { file_path: "a" }), long, long)).toMatchObject({
      stdout: "{}",
      stderr: expect.stringContaining("10000 characters"),
      losses: [{ effect: "context" }, { effect: "user_message" }],
    });
  });

  it("does not let a turn go on that has failed", async () => {
    const stop = { ...CALL, hook_event_name: "stop", loop_count: 0 };
    const outcome = { type: "keep_going", reason: "Tests fail." };
    expect(await replyTo({ ...stop, status: "completed" }, outcome)).toMatchObject({
      stdout: '{"followup_message":"Tests fail."}',
    });
    expect(await replyTo({ ...stop, status: "error" }, outcome)).toMatchObject({
      stdout: "{}",
      losses: [{ effect: "keep_going" }, { effect: "user_message" }],
    });
  });

  it("keeps the name of a server's tool that is no text, which the engine then refuses", () => {
    const payload = { ...CALL, hook_event_name: "beforeMCPExecution", tool_name: { toString: null } };
    expect(cursor.decode(payload).tool_name).toEqual({ toString: null });
  });
});
