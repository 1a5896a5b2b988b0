// LangChain: middleware around calls of tools and of the model, and after the agent.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, createAgent, createMiddleware, HumanMessage, ToolMessage, tool } from "langchain";
import { z } from "zod";

class Scripted extends BaseChatModel {
  constructor(next) {
    super({});
    this.next = next;
  }
  _llmType() {
    return "scripted";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const message = this.next(messages);
    return { generations: [{ text: "", message }] };
  }
}

async function run(middleware, model) {
  const ran = [];
  let read = "";
  let calls = 0;
  const next = (messages) => {
    read = JSON.stringify(messages);
    calls += 1;
    const { command, text } = model();
    if (command === undefined) return new AIMessage(text);
    const call = { id: `c${calls}`, name: "shell", args: { command }, type: "tool_call" };
    return new AIMessage({ content: "", tool_calls: [call] });
  };
  const shell = tool(
    ({ command }) => {
      ran.push(command);
      return "done";
    },
    { name: "shell", description: "Runs a command.", schema: z.object({ command: z.string() }) },
  );
  const agent = createAgent({ model: new Scripted(next), tools: [shell], middleware: [middleware] });
  await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
  return { ran, read };
}

export async function block(model) {
  // #region block
  const middleware = createMiddleware({
    name: "no-push",
    wrapToolCall: (request, handler) => {
      const { id, args } = request.toolCall;
      if (!args.command.startsWith("git push")) return handler(request);
      return new ToolMessage({ content: "Pushing is for humans.", tool_call_id: id, status: "error" });
    },
  });
  // #endregion
  return run(middleware, model);
}

export async function rewrite(model) {
  // #region rewrite
  const middleware = createMiddleware({
    name: "dry-run",
    wrapToolCall: ({ toolCall, ...request }, handler) => {
      const { command } = toolCall.args;
      const args = { command: command === "npm publish" ? `${command} --dry-run` : command };
      return handler({ ...request, toolCall: { ...toolCall, args } });
    },
  });
  // #endregion
  return run(middleware, model);
}

export async function context(model) {
  // #region context
  const middleware = createMiddleware({
    name: "branch",
    beforeAgent: () => ({ messages: [new HumanMessage("The branch is main.")] }),
  });
  // #endregion
  return run(middleware, model);
}

export async function keepGoing(model, testsPass) {
  // #region keepGoing
  const middleware = createMiddleware({
    name: "tests",
    afterAgent: {
      canJumpTo: ["model"],
      hook: () =>
        testsPass() ? undefined : { messages: [new HumanMessage("The tests fail.")], jumpTo: "model" },
    },
  });
  // #endregion
  return run(middleware, model);
}
