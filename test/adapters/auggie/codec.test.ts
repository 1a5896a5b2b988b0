import { describe, expect, it } from "vitest";
import { auggie } from "../../../src/adapters/auggie/auggie.ts";
import { isWithheld } from "../../../src/node/process/environment.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { auggieUnderstands } from "./understands.ts";

const { recorded, replyTo } = adapterSuite({
  adapter: auggie,
  understands: auggieUnderstands,
  unstoppable: ["UserPromptSubmit"],
  folderOf: ({ workspace_roots }) => Object(workspace_roots)[0],
});

describe("the reply to a call", () => {
  const call = recorded("PreToolUse.launch-process");

  it("refuses it by its exit code, which no other hook can cancel", async () => {
    expect(await replyTo(call, { type: "deny", reason: "Not here." })).toEqual({
      stdout: "",
      stderr: "Not here.",
      exit_code: 2,
      losses: [],
    });
  });

  it("refuses it where a hook asks, which Auggie ignores", async () => {
    const reply = await replyTo(call, { type: "ask", reason: "Is that meant?" });
    expect(reply).toMatchObject({ exit_code: 2, losses: [{ effect: "ask", became: "deny" }] });
    expect(reply.stderr).toBe("Needs your OK, and Auggie can't ask, so it is refused. Is that meant? [hook]");
  });

  it("rewrites it and names its event, without which Auggie ignores it", async () => {
    const next = { command: "ls", wait: true, max_wait_seconds: 20, cwd: "/home/dev/app" };
    expect(JSON.parse((await replyTo(call, { type: "rewrite", next })).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: next },
    });
  });

  it("says to the user that context is lost", async () => {
    const { stdout } = await replyTo(call, { type: "context", text: "The build is red." });
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: "Auggie does not support context on PreToolUse. It continues without it.",
    });
  });
});

describe("the reply to a result", () => {
  it("has the model read a refusal with its context", async () => {
    const payload = recorded("PostToolUse.launch-process");
    const reply = await replyTo(
      payload,
      { type: "deny", reason: "That leaked." },
      { type: "context", text: "Rotate the key." },
    );
    expect(reply).toEqual({
      stdout: "",
      stderr: "That leaked.\n\nRotate the key.",
      exit_code: 2,
      losses: [],
    });
  });
});

describe("what a running program is given", () => {
  const call = {
    ...recorded("PreToolUse.launch-process"),
    tool_name: "write-process",
    tool_input: { terminal_id: 1, input_text: "rm -rf ~\n" },
  };

  it("is judged as a command", () => {
    expect(auggie.decode(call).tool_input).toEqual({
      terminal_id: 1,
      input_text: "rm -rf ~\n",
      command: "rm -rf ~\n",
    });
  });

  it("is refused when a hook rewrites it", async () => {
    const reply = await replyTo(call, { type: "rewrite", next: { command: "ls" } });
    expect(reply).toMatchObject({ exit_code: 2, losses: [{ effect: "rewrite", became: "deny" }] });
  });
});

describe("an event", () => {
  it("names a tool of an MCP server as everywhere", () => {
    const call = { ...recorded("PreToolUse.mcp"), tool_name: "create_issue_github" };
    expect(auggie.decode(call).tool_name).toBe("mcp__github__create_issue");
    expect(auggie.decode({ ...call, is_mcp_tool: false }).tool_name).toBe("create_issue_github");
  });

  it("names the tool that starts a subagent as everywhere", () => {
    const call = { ...recorded("PreToolUse.view"), tool_name: "sub-agent-explore" };
    expect(auggie.decode(call).tool_name).toBe("Task");
  });

  it("of a stop has the last text of the model", () => {
    expect(auggie.decode(recorded("Stop")).last_assistant_message).toBe("done");
  });
});

it("has its hooks get no token of the session", () => {
  const variables = ["AUGMENT_SESSION_AUTH", "AUGMENT_API_TOKEN", "AUGMENT_PROJECT_DIR", "AUGMENT_TOOL_NAME"];
  expect(variables.map(isWithheld)).toEqual([true, true, false, false]);
});
