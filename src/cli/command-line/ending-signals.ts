/** The exit code of a process that was asked to end, by what asked. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const;

type EndingSignal = keyof typeof CODES;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly EndingSignal[];
const STREAMS = [process.stdout, process.stderr] as const;

/** What becomes of Ctrl-C and the like while a command runs. */
export interface Ending {
  /** Aborted by the first of them. */
  readonly signal: AbortSignal;
  /** The exit code, once one came. */
  readonly code: number | undefined;
  /** How long the command may take to end what it is at. */
  grace_seconds: number;
  /** True when the command does more than to say something: it ends in order also when nobody reads that any more. */
  works: boolean;
  forget(): void;
}

/** Has the first signal end the command in order, and the second the process at once. */
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
  // A pipe whose reader has gone says so at everything that is written.
  const unread = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") return;
    if (!ending.works) process.exit();
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
