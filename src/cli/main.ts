import { TenterhookError } from "../core/base/errors.ts";
import { onEndingSignal } from "./command-line/ending-signals.ts";
import { processScreen } from "./command-line/screen/screen.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe (`tenterhook list | head -1`), which ends the command elsewhere.
    if (error.code === "EPIPE") return;
    if (stream === process.stdout)
      process.stderr.write(`write_failed: What there is to say can't be written: ${error.message}.\n`);
    if (process.argv.includes("--debug")) process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
}
process.exitCode = await runCommandLine(process.argv.slice(2));

/** Returns the exit code. Never throws. */
async function runCommandLine(args: readonly string[]): Promise<number> {
  const screen = processScreen();
  const cwd = workingFolder();
  const view = { screen, json: args.includes("--json"), debug: args.includes("--debug"), cwd: cwd ?? "/" };
  const ending = onEndingSignal();
  try {
    const { parseArguments } = await import("./command-line/parse.ts");
    const parsed = parseArguments(args, screen);
    if (typeof parsed === "number") return parsed;
    const { row, names, options } = parsed;
    if (cwd === undefined)
      throw new TenterhookError("usage_error", "The working folder is no longer there.", {
        hint: "Go to a folder that is, and run it there.",
      });
    ending.grace_seconds = row.grace_seconds ?? ending.grace_seconds;
    ending.works = row.grace_seconds !== undefined;
    const { run } = await row.load();
    const code = await run({
      names,
      options,
      json: options.json === true,
      screen,
      cwd,
      environment: process.env,
      signal: ending.signal,
    });
    return ending.code ?? code ?? 0;
  } catch (error) {
    if (ending.code !== undefined) return ending.code;
    const { showFailure } = await import("./command-line/failures.ts");
    return showFailure(error, view);
  } finally {
    ending.forget();
  }
}

/** `undefined` when the folder was removed. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
