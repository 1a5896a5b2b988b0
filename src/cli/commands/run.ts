import { type CommandRun, flagOption, type Invocation } from "../command-line/command.ts";
import { usageError } from "../command-line/usage-error.ts";

/** `tenterhook run`: a program behind `--`, the demo, a task, or a chat. */
export const run: CommandRun = async (invocation) => {
  const { program, names, screen, json } = invocation;
  if (program !== undefined && (names.length > 0 || flagOption(invocation, "demo")))
    throw usageError("A program gets no task and no demo.", "tenterhook run -- claude");
  mustFit(invocation);
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

const OF_ALL: readonly string[] = ["json", "quiet", "debug"];
const OF_A_PROGRAM: readonly string[] = ["name", "transcript"];

/** @throws TenterhookError `usage_error` for an option that would do nothing. */
function mustFit({ program, options }: Invocation): void {
  for (const key of Object.keys(options)) {
    if (OF_ALL.includes(key) || OF_A_PROGRAM.includes(key) === (program !== undefined)) continue;
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw program === undefined
      ? usageError(`${flag} is for a program behind --.`, `tenterhook run ${flag} … -- claude`)
      : usageError(
          `${flag} is for the built-in agent, not for ${program[0] ?? "a program"}.`,
          "Options of the program stand behind it: tenterhook run -- claude --model opus",
        );
  }
}
