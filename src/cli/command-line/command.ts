import type { Standing } from "../../monitor/person/standing.ts";
import type { Report } from "./screen/report.ts";
import type { Screen } from "./screen/screen.ts";
import { usageError } from "./usage-error.ts";

const COMMON_OPTIONS: readonly CommandOption[] = [
  { flags: "--json", description: "Print JSON." },
  { flags: "--quiet", description: "Show no progress." },
  { flags: "--debug", description: "Show the stack trace of an error." },
];

export interface Invocation {
  /** The positional arguments. */
  readonly names: readonly string[];
  /** What stands behind `--`: a program and its arguments. */
  readonly program?: readonly string[] | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly screen: Screen;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The process that has started the command. */
  readonly parent: number;
  /** Whether this process may act in its user's name. Never rejects. */
  readonly standing: (environment: NodeJS.ProcessEnv) => Promise<Standing>;
  readonly table: CommandTable;
  /** Aborted by Ctrl-C and other signals that end the process. */
  readonly signal: AbortSignal;
}

/** What a command returns: a report; or the exit code when it is not 0 and the command has printed by itself. */
export type Outcome = Report | number | void;

export type CommandRun = (invocation: Invocation) => Promise<Outcome>;

/** What a shell offers for a word: these words, or names that are looked up. */
export type Completes = readonly string[] | "hooks" | "packs" | "rules" | "agents" | "sessions";

/** A positional argument, as usage lines show it: `<name>`, `[files...]`. */
export interface CommandArgument {
  readonly usage: string;
  readonly description: string;
  readonly completes?: readonly Completes[];
}

/** A command of the table: its name, its help and the file that runs it. */
export interface CommandRow {
  readonly name: string;
  readonly arguments?: readonly CommandArgument[];
  /** Its one argument is a shell line, which people forget to quote. */
  readonly takes_line?: true;
  /** It may get a program behind `--`, which then gets the signals, too. */
  readonly takes_program?: true;
  readonly summary: string;
  readonly details?: string;
  readonly options?: readonly CommandOption[];
  /** It makes agents call our program later: one that is deleted some day hands over to one that stays. */
  readonly calls_later?: true;
  /** How many seconds the command has to finish after Ctrl-C. Default 3. */
  readonly grace_seconds?: number;
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Its own commands. */
  readonly commands?: readonly CommandRow[];
  /** Only programs call it. */
  readonly hidden?: true;
  /** Left out where one of its own commands has to be named. */
  readonly load?: CommandLoad;
}

type CommandLoad = () => Promise<{ readonly run: CommandRun }>;

/** A part of the overview, and the commands it speaks of. */
export interface CommandGroup {
  readonly title: string;
  readonly lines: readonly (readonly [usage: string, does: string])[];
  readonly commands: readonly CommandRow[];
}

/** What the command line is parsed by. */
export interface CommandTable {
  readonly groups: readonly CommandGroup[];
  /** Those that programs call, and that the overview leaves out. */
  readonly unlisted: readonly CommandRow[];
  /** The program without a command. */
  readonly start: CommandRow & { readonly load: CommandLoad };
  /** Words that people know from elsewhere or from before, and the ones that do their job. */
  readonly habits: readonly (readonly [words: string, command: string])[];
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

/** All commands that people are shown, without the ones below them. */
export function listedCommands({ groups }: CommandTable): readonly CommandRow[] {
  return groups.flatMap(({ commands }) => commands);
}

/** A command's options, with those that every command has. */
export function optionsOf({ options = [] }: CommandRow): readonly CommandOption[] {
  return [...options, ...COMMON_OPTIONS];
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

const FILES = ["user", "project", "local"] as const;

/**
 * Which file is meant: `--user`, `--project` or `--local`. `undefined` without any of them.
 *
 * @throws TenterhookError `usage_error` for more than one.
 */
export function fileOption(invocation: Invocation): (typeof FILES)[number] | undefined {
  const [file, other] = FILES.filter((name) => flagOption(invocation, name));
  if (other === undefined) return file;
  throw usageError(`--${file} and --${other} name two files.`, "Give one of them.");
}
