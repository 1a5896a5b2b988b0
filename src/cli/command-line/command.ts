import type { Standing } from "../../monitor/person/standing.ts";
import type { Screen } from "./screen/screen.ts";
import { unknownName } from "./usage-error.ts";

export const COMMON_OPTIONS: readonly CommandOption[] = [
  { flags: "--json", description: "Print JSON." },
  { flags: "--quiet", description: "Show no progress." },
  { flags: "--debug", description: "Show the stack trace of an error." },
];

export interface Invocation {
  /** The positional arguments. */
  readonly names: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly screen: Screen;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The process that has started the command. */
  readonly parent: number;
  /** Whether this process may act in its user's name. Never rejects. */
  readonly standing: (environment: NodeJS.ProcessEnv) => Promise<Standing>;
  readonly commands: readonly CommandRow[];
  /** Aborted by Ctrl-C and other signals that end the process. */
  readonly signal: AbortSignal;
}

/** Runs a command. Returns the exit code when it is not 0. */
export type CommandRun = (invocation: Invocation) => Promise<number | void>;

/** What a shell offers for a word: these words, or names that are looked up. */
export type Completes = readonly string[] | "hooks" | "packs" | "rules" | "agents" | "sessions";

/** A command of the table: its name, its help and the file that runs it. */
export interface CommandRow {
  readonly name: string;
  /** The positional arguments, as usage lines show them: `<name>`, `[files...]`. */
  readonly arguments?: readonly (readonly [usage: string, description: string])[];
  /** What a shell offers for each positional argument; the last one counts for all further ones. */
  readonly completes?: readonly (readonly Completes[])[];
  /** Its one argument is a shell line, which people forget to quote. */
  readonly takes_line?: true;
  readonly summary: string;
  readonly details?: string;
  readonly options?: readonly CommandOption[];
  /** How many seconds the command has to finish after Ctrl-C. Default 3. */
  readonly grace_seconds?: number;
  /** True when it runs another program: the options after its name are that program's, and so are signals. */
  readonly runs_program?: true;
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandRow[];
}

/** What the command line is parsed by. */
export interface CommandTable {
  readonly groups: readonly CommandGroup[];
  /** Those of all groups. */
  readonly commands: readonly CommandRow[];
  /** The program without a command. */
  readonly start: CommandRow;
}

export interface CommandOption {
  /** `--since <time>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What a shell offers for its value. */
  readonly completes?: Completes;
  /** It may be given several times; see `textsOption`. */
  readonly repeated?: true;
  /** Its value is a whole number from 1 to this; see `numberOption`. */
  readonly highest?: number;
}

export function textOption({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function numberOption({ options }: Invocation, name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" ? value : undefined;
}

export function textsOption({ options }: Invocation, name: string): readonly string[] {
  const values = options[name];
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

export function flagOption({ options }: Invocation, name: string): boolean {
  return options[name] === true;
}

/**
 * A command whose first word names an action, which gets the words after it.
 *
 * @param usage what to type, for an unknown action.
 * @param standard the action when no word is given.
 */
export function actionsOf(
  actions: ReadonlyMap<string, CommandRun>,
  usage: string,
  standard = "",
): CommandRun {
  return async (invocation) => {
    const [name = standard, ...names] = invocation.names;
    const action = actions.get(name);
    if (action !== undefined) return action({ ...invocation, names });
    throw unknownName("action", name, actions.keys(), usage);
  };
}
