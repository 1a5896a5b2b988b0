// tenterhook: hooks of the agent, and of every other agent that it knows, in the same form.
import * as outcomes from "tenterhook";
import { Agent, scriptedModel, tool } from "tenterhook/agent";
import { z } from "zod";

const { createHooks, deny } = outcomes;

async function run(hooks, model) {
  const ran = [];
  let read = "";
  const shell = tool({
    name: "shell",
    description: "Runs a command.",
    input: z.object({ command: z.string() }),
    run: ({ command }) => {
      ran.push(command);
      return "done";
    },
  });
  const step = (request) => {
    read = JSON.stringify(request);
    const { command, text } = model();
    return command === undefined ? { text } : { tool_calls: [{ name: "shell", input: { command } }] };
  };
  const steps = Array.from({ length: 4 }, () => step);
  const agent = new Agent({ model: scriptedModel(steps), tools: [shell], hooks, mode: "bypass" });
  await agent.run("Go.");
  await agent.close();
  return { ran, read };
}

export async function block(model) {
  // #region block
  const hooks = createHooks();
  hooks.on("PreToolUse", { tools: "shell" }, ({ tool_input }) =>
    String(tool_input.command).startsWith("git push") ? deny("Pushing is for humans.") : undefined,
  );
  // #endregion
  return run(hooks, model);
}

export async function rewrite(model) {
  const { rewrite } = outcomes;
  // #region rewrite
  const hooks = createHooks();
  hooks.on("PreToolUse", { tools: "shell" }, ({ tool_input: { command } }) =>
    command === "npm publish" ? rewrite({ command: `${command} --dry-run` }) : undefined,
  );
  // #endregion
  return run(hooks, model);
}

export async function context(model) {
  const { context } = outcomes;
  // #region context
  const hooks = createHooks();
  hooks.on("UserPromptSubmit", () => context("The branch is main."));
  // #endregion
  return run(hooks, model);
}

export async function keepGoing(model, testsPass) {
  const { keepGoing } = outcomes;
  // #region keepGoing
  const hooks = createHooks();
  hooks.on("Stop", () => (testsPass() ? undefined : keepGoing("The tests fail.")));
  // #endregion
  return run(hooks, model);
}
