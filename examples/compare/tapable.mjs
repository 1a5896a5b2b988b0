// tapable: hooks of several kinds. A bail hook ends with the first answer, a waterfall hands a value on. The loop is yours.
import { AsyncSeriesBailHook, AsyncSeriesWaterfallHook } from "tapable";

const newHooks = () => ({
  blocked: new AsyncSeriesBailHook(["command"]),
  command: new AsyncSeriesWaterfallHook(["command"]),
  prompt: new AsyncSeriesWaterfallHook(["messages"]),
  again: new AsyncSeriesBailHook([]),
});

/** A loop as one writes it with tapable. */
async function run(hooks, model) {
  const ran = [];
  const messages = await hooks.prompt.promise([]);
  for (;;) {
    const answer = model(messages);
    if (answer.command === undefined) {
      const again = await hooks.again.promise();
      if (again === undefined) return { ran, read: JSON.stringify(messages) };
      messages.push(again);
      continue;
    }
    const command = await hooks.command.promise(answer.command);
    const blocked = await hooks.blocked.promise(command);
    if (blocked === undefined) ran.push(command);
    messages.push(blocked ?? "done");
  }
}

export async function block(model) {
  // #region block
  const hooks = newHooks();
  hooks.blocked.tap("no-push", (command) =>
    command.startsWith("git push") ? "Pushing is for humans." : undefined,
  );
  // #endregion
  return run(hooks, model);
}

export async function rewrite(model) {
  // #region rewrite
  const hooks = newHooks();
  hooks.command.tap("dry-run", (command) => (command === "npm publish" ? `${command} --dry-run` : command));
  // #endregion
  return run(hooks, model);
}

export async function context(model) {
  // #region context
  const hooks = newHooks();
  hooks.prompt.tap("branch", (messages) => [...messages, "The branch is main."]);
  // #endregion
  return run(hooks, model);
}

export async function keepGoing(model, testsPass) {
  // #region keepGoing
  const hooks = newHooks();
  hooks.again.tap("tests", () => (testsPass() ? undefined : "The tests fail."));
  // #endregion
  return run(hooks, model);
}
