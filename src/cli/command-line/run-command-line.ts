import { onEndingSignal } from "./ending-signals.ts";
import { processScreen, type Screen } from "./screen/screen.ts";
import { usageError } from "./usage-error.ts";

/** Where a command line runs. The default is this process. */
export interface CommandLinePlace {
  readonly screen?: Screen;
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly parent?: number;
}

/** Returns the exit code. Never throws. */
export async function runCommandLine(
  args: readonly string[],
  {
    screen = processScreen(),
    cwd = workingFolder(),
    environment = process.env,
    parent = process.ppid,
  }: CommandLinePlace = {},
): Promise<number> {
  const view = { screen, json: args.includes("--json"), debug: args.includes("--debug"), cwd: cwd ?? "/" };
  const ending = onEndingSignal();
  try {
    const { parseArguments } = await import("./parse.ts");
    const parsed = parseArguments(args, screen);
    if (typeof parsed === "number") return parsed;
    const { commands, row, names, options } = parsed;
    if (cwd === undefined)
      throw usageError("The working folder no longer exists.", "Run the command in an existing folder.");
    ending.grace_seconds = row.grace_seconds ?? ending.grace_seconds;
    ending.works = row.grace_seconds !== undefined;
    if (row.runs_program === true) ending.forget();
    const { run } = await row.load();
    const code = await run({
      names,
      options,
      commands,
      json: options.json === true,
      screen: options.quiet === true ? { ...screen, quiet: true } : screen,
      cwd,
      environment,
      parent,
      signal: ending.signal,
    });
    return ending.code ?? code ?? 0;
  } catch (error) {
    if (ending.code !== undefined) return ending.code;
    const { showFailure } = await import("./failures.ts");
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
