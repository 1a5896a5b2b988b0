// Claude Agent SDK: callbacks for the events of Claude Code, a program of 360 MB that it installs and starts.
import { createServer } from "node:http";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

/** What the model is asked and what runs. The program speaks to its model over HTTP. */
async function bed(model) {
  const seen = { ran: [], read: "" };
  let calls = 0;
  const server = createServer(async (request, response) => {
    const { messages, tools = [] } = JSON.parse(await textOf(request));
    const works = tools.some(({ name }) => name === "mcp__bed__shell");
    if (works) seen.read = JSON.stringify(messages);
    calls += 1;
    const { command, text } = works ? model() : { text: "A title" };
    const call = { type: "tool_use", id: `c${calls}`, name: "mcp__bed__shell", input: {} };
    const [block, delta, stop_reason] =
      command === undefined
        ? [{ type: "text", text: "" }, { type: "text_delta", text }, "end_turn"]
        : [call, { type: "input_json_delta", partial_json: JSON.stringify({ command }) }, "tool_use"];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id: `m${calls}`,
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [],
      usage,
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason }, usage },
      { type: "message_stop" },
    ])
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const shell = tool("shell", "Runs a command.", { command: z.string() }, async ({ command }) => {
    seen.ran.push(command);
    return { content: [{ type: "text", text: "done" }] };
  });
  const settings = {
    mcpServers: { bed: createSdkMcpServer({ name: "bed", tools: [shell] }) },
    allowedTools: ["mcp__bed__shell"],
    // None of the program's own tools, and no settings of the user.
    tools: [],
    settingSources: [],
    env: {
      ...process.env,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
  };
  const run = async (options) => {
    for await (const _ of query({ prompt: "Go.", options: { ...settings, ...options } }));
    server.close();
    server.closeAllConnections();
  };
  return { seen, run };
}

async function textOf(request) {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text || "{}";
}

export async function block(model) {
  const { seen, run } = await bed(model);
  // #region block
  const noPush = async ({ tool_input }) =>
    tool_input.command.startsWith("git push")
      ? {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: "Pushing is for humans.",
          },
        }
      : {};
  await run({ hooks: { PreToolUse: [{ matcher: "mcp__bed__shell", hooks: [noPush] }] } });
  // #endregion
  return seen;
}

export async function rewrite(model) {
  const { seen, run } = await bed(model);
  // #region rewrite
  const dryRun = async ({ tool_input }) =>
    tool_input.command === "npm publish"
      ? {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "allow",
            updatedInput: { ...tool_input, command: "npm publish --dry-run" },
          },
        }
      : {};
  await run({ hooks: { PreToolUse: [{ matcher: "mcp__bed__shell", hooks: [dryRun] }] } });
  // #endregion
  return seen;
}

export async function context(model) {
  const { seen, run } = await bed(model);
  // #region context
  const branch = async () => ({
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "The branch is main." },
  });
  await run({ hooks: { UserPromptSubmit: [{ hooks: [branch] }] } });
  // #endregion
  return seen;
}

export async function keepGoing(model, testsPass) {
  const { seen, run } = await bed(model);
  // #region keepGoing
  const tests = async () => (testsPass() ? {} : { decision: "block", reason: "The tests fail." });
  await run({ hooks: { Stop: [{ hooks: [tests] }] } });
  // #endregion
  return seen;
}
