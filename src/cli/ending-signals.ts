/** The exit code of a process that was asked to end, by what asked. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type EndingSignal = keyof typeof CODES;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly EndingSignal[];

/** What becomes of Ctrl-C and the like while a command runs. */
export interface Ending {
  /** Aborted by the first of them. */
  readonly signal: AbortSignal;
  /** The exit code, once one came. */
  readonly code: number | undefined;
  /** How long the command may take to end what it is at. */
  grace_seconds: number;
  forget(): void;
}

/** Has the first signal end the command in order, and the second the process at once. */
export function onEndingSignal(): Ending {
  const controller = new AbortController();
  let code: number | undefined;
  const listener = (name: NodeJS.Signals): void => {
    const known = SIGNALS.find((one) => one === name) ?? "SIGINT";
    if (code !== undefined) process.exit(CODES[known]);
    code = CODES[known];
    const exit = (): void => process.exit(code);
    setTimeout(exit, ending.grace_seconds * 1000).unref();
    controller.abort(new Error("Interrupted."));
  };
  for (const name of SIGNALS) process.on(name, listener);
  const ending: Ending = {
    signal: controller.signal,
    get code() {
      return code;
    },
    grace_seconds: 3,
    forget: () => {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
  return ending;
}
