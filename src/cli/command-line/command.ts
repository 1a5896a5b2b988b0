import type { Screen } from "./screen/screen.ts";

export interface Invocation {
  /** The positional arguments. */
  readonly names: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** True when `--json` was given. */
  readonly json: boolean;
  readonly screen: Screen;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C and other signals that end the process. */
  readonly signal: AbortSignal;
}

/** Runs a command. Returns the exit code when it is not 0. */
export type CommandRun = (invocation: Invocation) => Promise<number | undefined>;

/** A command of the table: its name, its help and the file that runs it. */
export interface CommandRow {
  readonly name: string;
  /** The positional arguments, as usage lines show them: `<name>`, `[files...]`. */
  readonly arguments?: readonly (readonly [usage: string, description: string])[];
  readonly summary: string;
  /** More help text for `--help`. */
  readonly details?: string;
  readonly options?: readonly CommandOption[];
  /** How many seconds the command has to finish after Ctrl-C. Default 3. */
  readonly grace_seconds?: number;
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Loads the command on first use. */
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

export interface CommandOption {
  /** `--since <time>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

export function textOption({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function flagOption({ options }: Invocation, name: string): boolean {
  return options[name] === true;
}
