import { type CommandRun, flagOption } from "../command-line/command.ts";
import { usageError } from "../command-line/usage-error.ts";

/** `tenterhook run`: a program behind `--`, the demo, a task, or a chat. */
export const run: CommandRun = async (invocation) => {
  const { program, names, screen, json } = invocation;
  if (program !== undefined && (names.length > 0 || flagOption(invocation, "demo")))
    throw usageError("A program gets no task and no demo.", "tenterhook run -- claude");
  if (program !== undefined) return (await import("./monitor/watch.ts")).watch(program, invocation);
  if (flagOption(invocation, "demo")) return (await import("./agent/demo.ts")).run(invocation);
  if (names.length > 0) return (await import("./agent/run.ts")).run(invocation);
  if (!screen.interactive || json)
    throw usageError(
      "A chat needs a terminal.",
      'tenterhook run "a task" works in a pipe, and with --json for programs.',
    );
  return (await import("./agent/chat.ts")).chat(invocation);
};
