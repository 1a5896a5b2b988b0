import { processScreen } from "./screen/screen.ts";

/** How long a command may take to end after Ctrl-C. */
const GRACE_MILLISECONDS = 3000;
const INTERRUPTED = 130;

/** Runs a command line; answers the exit code. Never throws. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const screen = processScreen();
  const cwd = process.cwd();
  const view = { screen, json: args.includes("--json"), debug: args.includes("--debug"), cwd };
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    interrupt.abort(new Error("Interrupted."));
    setTimeout(() => process.exit(INTERRUPTED), GRACE_MILLISECONDS).unref();
  };
  process.once("SIGINT", onInterrupt);
  try {
    const { parseArguments } = await import("./parse.ts");
    const parsed = parseArguments(args, screen);
    if (typeof parsed === "number") return parsed;
    const { row, names, options } = parsed;
    const { run } = await row.load();
    const code = await run({
      names,
      options,
      json: options.json === true,
      screen,
      cwd,
      environment: process.env,
      signal: interrupt.signal,
    });
    return interrupt.signal.aborted ? INTERRUPTED : (code ?? 0);
  } catch (error) {
    if (interrupt.signal.aborted) return INTERRUPTED;
    const { showFailure } = await import("./failures.ts");
    return showFailure(error, view);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
