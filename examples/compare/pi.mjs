// pi: one callback before and one after each tool call, one for the messages of a request, and a queue of follow-ups.
import { Agent } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { Type } from "typebox";

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const USAGE = { ...NO_COST, totalTokens: 0, cost: { ...NO_COST, total: 0 } };
const MODEL = {
  ...{ id: "scripted", name: "scripted", api: "scripted", provider: "scripted", baseUrl: "" },
  ...{ reasoning: false, input: ["text"], cost: NO_COST, contextWindow: 1e6, maxTokens: 1e4 },
};

/** What the model is asked and what runs. */
function bed(model) {
  const seen = { ran: [], read: "" };
  let calls = 0;
  const streamFn = (_, { messages }) => {
    seen.read = JSON.stringify(messages);
    calls += 1;
    const { command, text } = model();
    const call = { type: "toolCall", id: `c${calls}`, name: "shell", arguments: { command } };
    const message = {
      ...{ role: "assistant", api: "scripted", provider: "scripted", model: "scripted", usage: USAGE },
      timestamp: Date.now(),
      stopReason: command === undefined ? "stop" : "toolUse",
      content: [command === undefined ? { type: "text", text } : call],
    };
    const stream = createAssistantMessageEventStream();
    queueMicrotask(() => {
      stream.push({ type: "start", partial: message });
      stream.push({ type: "done", reason: message.stopReason, message });
    });
    return stream;
  };
  const shell = {
    name: "shell",
    label: "shell",
    description: "Runs a command.",
    parameters: Type.Object({ command: Type.String() }),
    execute: async (_, { command }) => {
      seen.ran.push(command);
      return { content: [{ type: "text", text: "done" }], details: undefined };
    },
  };
  return { seen, settings: { streamFn, initialState: { systemPrompt: "", model: MODEL, tools: [shell] } } };
}

export async function block(model) {
  const { seen, settings } = bed(model);
  // #region block
  const agent = new Agent({
    ...settings,
    beforeToolCall: async ({ args }) =>
      args.command.startsWith("git push") ? { block: true, reason: "Pushing is for humans." } : undefined,
  });
  await agent.prompt("Go.");
  // #endregion
  return seen;
}

export async function rewrite(model) {
  const { seen, settings } = bed(model);
  // #region rewrite
  const agent = new Agent({
    ...settings,
    // What it changes in place is what the tool gets.
    beforeToolCall: async ({ args }) => {
      if (args.command === "npm publish") args.command += " --dry-run";
    },
  });
  await agent.prompt("Go.");
  // #endregion
  return seen;
}

export async function context(model) {
  const { seen, settings } = bed(model);
  // #region context
  const agent = new Agent({
    ...settings,
    transformContext: async (messages) => [
      ...messages,
      { role: "user", content: "The branch is main.", timestamp: Date.now() },
    ],
  });
  await agent.prompt("Go.");
  // #endregion
  return seen;
}

export async function keepGoing(model, testsPass) {
  const { seen, settings } = bed(model);
  // #region keepGoing
  const agent = new Agent(settings);
  agent.subscribe(({ type, toolResults = [] }) => {
    if (type !== "turn_end" || toolResults.length > 0 || testsPass()) return;
    agent.followUp({ role: "user", content: "The tests fail.", timestamp: Date.now() });
  });
  await agent.prompt("Go.");
  // #endregion
  return seen;
}
