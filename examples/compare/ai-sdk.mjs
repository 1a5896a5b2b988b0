// AI SDK 7: callbacks of the agent, and functions around tools. There is no hook at the end of the loop.
import { isStepCount, ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** What the model is asked and what runs. */
function bed(model) {
  const seen = { ran: [], read: "" };
  let calls = 0;
  const doGenerate = async ({ prompt }) => {
    seen.read = JSON.stringify(prompt);
    calls += 1;
    const { command, text } = model();
    const input = JSON.stringify({ command });
    const content =
      command === undefined
        ? { type: "text", text }
        : { type: "tool-call", toolCallId: `c${calls}`, toolName: "shell", input };
    const unified = command === undefined ? "stop" : "tool-calls";
    return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
  };
  const execute = async ({ command }) => {
    seen.ran.push(command);
    return "done";
  };
  const shell = tool({ inputSchema: z.object({ command: z.string() }), execute });
  return {
    seen,
    shell,
    settings: { model: new MockLanguageModelV4({ doGenerate }), stopWhen: isStepCount(5) },
  };
}

export async function block(model) {
  const { seen, shell, settings } = bed(model);
  // #region block
  const agent = new ToolLoopAgent({
    ...settings,
    tools: { shell },
    toolApproval: {
      shell: ({ command }) =>
        command.startsWith("git push") ? { type: "denied", reason: "Pushing is for humans." } : undefined,
    },
  });
  await agent.generate({ prompt: "Go." });
  // #endregion
  return seen;
}

export async function rewrite(model) {
  const { seen, shell, settings } = bed(model);
  // #region rewrite
  const execute = ({ command }, options) =>
    shell.execute({ command: command === "npm publish" ? `${command} --dry-run` : command }, options);
  const agent = new ToolLoopAgent({ ...settings, tools: { shell: { ...shell, execute } } });
  await agent.generate({ prompt: "Go." });
  // #endregion
  return seen;
}

export async function context(model) {
  const { seen, shell, settings } = bed(model);
  // #region context
  const agent = new ToolLoopAgent({
    ...settings,
    tools: { shell },
    prepareStep: ({ messages }) => ({
      messages: [...messages, { role: "user", content: "The branch is main." }],
    }),
  });
  await agent.generate({ prompt: "Go." });
  // #endregion
  return seen;
}

export async function keepGoing(model, testsPass) {
  const { seen, shell, settings } = bed(model);
  // #region keepGoing
  const agent = new ToolLoopAgent({ ...settings, tools: { shell } });
  const messages = [{ role: "user", content: "Go." }];
  for (;;) {
    const { responseMessages } = await agent.generate({ messages });
    if (testsPass()) break;
    messages.push(...responseMessages, { role: "user", content: "The tests fail." });
  }
  // #endregion
  return seen;
}
