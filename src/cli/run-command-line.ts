import type { Invocation } from "./command-line/command.ts";
import { printReport, processScreen } from "./command-line/screen/screen.ts";
import { usageError } from "./command-line/usage-error.ts";

/** Runs a command line, by default of this process. Returns the exit code. Never throws. */
export async function runCommandLine(
  args: readonly string[],
  {
    screen = processScreen(),
    cwd = workingFolder(),
    environment = process.env,
    parent = process.ppid,
    standing = async (variables) => (await import("./command-line/person.ts")).ownStanding(variables),
  }: Partial<Pick<Invocation, "screen" | "cwd" | "environment" | "parent" | "standing">> = {},
): Promise<number> {
  const ending = onEndingSignal();
  try {
    const { parseArguments } = await import("./command-line/parse.ts");
    const { COMMAND_TABLE } = await import("./table/table.ts");
    const parsed = parseArguments(args, COMMAND_TABLE, screen);
    if (typeof parsed === "number") return parsed;
    const { row, names, program, options } = parsed;
    if (cwd === undefined)
      throw usageError("The working folder no longer exists.", "Run the command in an existing folder.");
    ending.grace_seconds = row.grace_seconds ?? ending.grace_seconds;
    ending.works = row.grace_seconds !== undefined;
    if (program !== undefined) ending.forget();
    if (row.calls_later === true) {
      const { continueWhereItStays } = await import("./command-line/continue-where-it-stays.ts");
      const given = { cwd, environment, screen, signal: ending.signal };
      const code = await continueWhereItStays(args, options, given);
      if (code !== undefined) return ending.code ?? code;
    }
    const { run } = await row.load();
    const invocation: Invocation = {
      names,
      program,
      options,
      table: COMMAND_TABLE,
      json: options.json === true,
      screen: options.quiet === true ? { ...screen, quiet: true } : screen,
      cwd,
      environment,
      parent,
      standing,
      signal: ending.signal,
    };
    const outcome = await run(invocation);
    const code = typeof outcome === "object" ? printReport(outcome, invocation) : outcome;
    return ending.code ?? code ?? 0;
  } catch (error) {
    if (ending.code !== undefined) return ending.code;
    const { showFailure } = await import("./command-line/failures.ts");
    const view = { screen, json: args.includes("--json"), cwd: cwd ?? "/" };
    const verbose = args.some((one) => one === "-v" || one === "--verbose");
    return showFailure(error, view, { verbose, debug: args.includes("--debug") });
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

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const;

type EndingSignal = keyof typeof CODES;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly EndingSignal[];
const STREAMS = [process.stdout, process.stderr] as const;

const STEP_MILLISECONDS = 100;

/** What happened to Ctrl-C and the like while a command ran. */
interface Ending {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  readonly code: number | undefined;
  grace_seconds: number;
  /** True when the command changes something: it finishes even when nobody reads its output any more. */
  works: boolean;
  forget(): void;
}

/** The first signal aborts the command, the second one ends the process immediately. */
function onEndingSignal(): Ending {
  const controller = new AbortController();
  let code: number | undefined;
  const end = (name: EndingSignal): void => {
    code = CODES[name];
    // By steps: the time in which the machine does not let us work does not count.
    let steps = (ending.grace_seconds * 1000) / STEP_MILLISECONDS;
    const step = (): void => {
      steps -= 1;
      if (steps <= 0) process.exit(code);
    };
    setInterval(step, STEP_MILLISECONDS).unref();
    controller.abort(new Error("Interrupted."));
  };
  const listener = (name: NodeJS.Signals): void => {
    const known = SIGNALS.find((one) => one === name) ?? "SIGINT";
    if (code !== undefined) process.exit(CODES[known]);
    end(known);
  };
  // Every write to a pipe without a reader reports this error.
  const unread = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") return;
    if (!ending.works) process.exit(0);
    if (code === undefined) end("SIGPIPE");
  };
  for (const name of SIGNALS) process.on(name, listener);
  for (const stream of STREAMS) stream.on("error", unread);
  const ending: Ending = {
    signal: controller.signal,
    get code() {
      return code;
    },
    grace_seconds: 3,
    works: false,
    forget: () => {
      for (const name of SIGNALS) process.off(name, listener);
      for (const stream of STREAMS) stream.off("error", unread);
    },
  };
  return ending;
}
