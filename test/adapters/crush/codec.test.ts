import { describe, expect, it } from "vitest";
import type { NativePayload } from "../../../src/adapters/adapter.ts";
import { crush } from "../../../src/adapters/crush/crush.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { crushUnderstands } from "./understands.ts";

// The payloads are written by hand from Crush's documentation: the program can't be run here.
const { replyTo } = adapterSuite({
  adapter: crush,
  understands: crushUnderstands,
  unstoppable: [],
  eventKey: "event",
});

const CALL: NativePayload = {
  event: "PreToolUse",
  session_id: "s1",
  cwd: "/home/dev/app",
  tool_name: "bash",
  tool_input: { command: "ls", description: "List" },
};

describe("a call of Crush", () => {
  it("of an MCP server's tool has the name that everybody uses, split at the first underscore", () => {
    expect(crush.decode({ ...CALL, tool_name: "mcp_github_create_issue" }).tool_name).toBe(
      "mcp__github__create_issue",
    );
    expect(crush.decode({ ...CALL, tool_name: "mcp_alone" }).tool_name).toBe("mcp_alone");
  });

  it("is rewritten when the new input has all fields, and refused when Crush would keep an old one", async () => {
    const next = { command: "ls -l", description: "List" };
    expect(await replyTo(CALL, { type: "rewrite", next })).toMatchObject({
      stdout: JSON.stringify({ updated_input: next }),
      losses: [],
    });
    expect(await replyTo(CALL, { type: "rewrite", next: { command: "ls -l" } })).toMatchObject({
      stdout: expect.stringContaining('"decision":"deny"'),
      losses: [{ effect: "rewrite", became: "deny" }, { effect: "user_message" }],
    });
  });

  it("is refused where a hook asks, because Crush runs what a hook asks about", async () => {
    expect(await replyTo(CALL, { type: "ask", reason: "Sure?" })).toMatchObject({
      stdout: expect.stringContaining('"decision":"deny"'),
      losses: [{ effect: "ask", became: "deny" }, { effect: "user_message" }],
    });
  });

  it("ends the turn with both reasons, and context goes with the reason", async () => {
    const outcomes = [
      { type: "deny", reason: "No." },
      { type: "abort", reason: "Enough." },
      { type: "context", text: "Read the guide." },
    ];
    expect(JSON.parse((await replyTo(CALL, ...outcomes)).stdout)).toEqual({
      decision: "deny",
      halt: true,
      reason: "No.\nEnough.\n\nRead the guide.",
    });
  });
});
