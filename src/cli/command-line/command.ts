import type { Screen } from "./screen/screen.ts";

/** What a command is called with. */
export interface Invocation {
  /** What stands beside the options. */
  readonly names: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** True when a program reads the answer. */
  readonly json: boolean;
  readonly screen: Screen;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C, and when the process is asked to end. */
  readonly signal: AbortSignal;
}

/** Does what a command is for; answers the exit code when it is not 0. */
export type CommandRun = (invocation: Invocation) => Promise<number | undefined>;

/** A command of the table: what it is called, how it is explained, and the file that does it. */
export interface CommandRow {
  readonly name: string;
  /** What stands beside the options, as usage lines show it: `<name>`, `[files...]`. */
  readonly arguments?: readonly (readonly [usage: string, description: string])[];
  readonly summary: string;
  /** More than a line, for `--help`. */
  readonly details?: string;
  readonly options?: readonly CommandOption[];
  /** How long it may take to end what it is at after Ctrl-C. Default 3. */
  readonly grace_seconds?: number;
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Loaded when the command is used, and not before. */
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

/** An option of a command. */
export interface CommandOption {
  /** `--since <time>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

/** A text option, when it was given. */
export function textOption({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** True when a flag was given. */
export function flagOption({ options }: Invocation, name: string): boolean {
  return options[name] === true;
}
