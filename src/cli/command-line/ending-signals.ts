/** Exit codes by signal. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const;

type EndingSignal = keyof typeof CODES;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly EndingSignal[];
const STREAMS = [process.stdout, process.stderr] as const;

/** What happened to Ctrl-C and the like while a command ran. */
export interface Ending {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** The exit code, after a signal. */
  readonly code: number | undefined;
  /** How long the command has to finish. */
  grace_seconds: number;
  /** True when the command changes something: it finishes even when nobody reads its output any more. */
  works: boolean;
  forget(): void;
}

/** The first signal aborts the command, the second one ends the process immediately. */
export function onEndingSignal(): Ending {
  const controller = new AbortController();
  let code: number | undefined;
  const end = (name: EndingSignal): void => {
    code = CODES[name];
    const exit = (): void => process.exit(code);
    setTimeout(exit, ending.grace_seconds * 1000).unref();
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
