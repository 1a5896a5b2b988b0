// hookable: hooks by name, called one after another. The loop, and what a hook's answer means, are yours.
import { createHooks } from "hookable";

/** A loop as one writes it with hookable: each hook may change the object that it gets. */
async function run(hooks, model) {
  const ran = [];
  const messages = [];
  await hooks.callHook("prompt", messages);
  for (;;) {
    const answer = model(messages);
    if (answer.command === undefined) {
      const stop = { again: undefined };
      await hooks.callHook("stop", stop);
      if (stop.again === undefined) return { ran, read: JSON.stringify(messages) };
      messages.push(stop.again);
      continue;
    }
    const call = { command: answer.command, blocked: undefined };
    await hooks.callHook("tool:before", call);
    if (call.blocked === undefined) ran.push(call.command);
    messages.push(call.blocked ?? "done");
  }
}

export async function block(model) {
  // #region block
  const hooks = createHooks();
  hooks.hook("tool:before", (call) => {
    if (call.command.startsWith("git push")) call.blocked = "Pushing is for humans.";
  });
  // #endregion
  return run(hooks, model);
}

export async function rewrite(model) {
  // #region rewrite
  const hooks = createHooks();
  hooks.hook("tool:before", (call) => {
    if (call.command === "npm publish") call.command += " --dry-run";
  });
  // #endregion
  return run(hooks, model);
}

export async function context(model) {
  // #region context
  const hooks = createHooks();
  hooks.hook("prompt", (messages) => {
    messages.push("The branch is main.");
  });
  // #endregion
  return run(hooks, model);
}

export async function keepGoing(model, testsPass) {
  // #region keepGoing
  const hooks = createHooks();
  hooks.hook("stop", (stop) => {
    if (!testsPass()) stop.again = "The tests fail.";
  });
  // #endregion
  return run(hooks, model);
}
