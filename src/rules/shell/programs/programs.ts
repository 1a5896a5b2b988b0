import {
  type CommandOption,
  type ProgramFamily,
  type ProgramRow,
  ROLES,
  type Role,
  type Trait,
} from "./program-row.ts";
import { AGENTS } from "./rows/agents.ts";
import { ARCHIVES } from "./rows/archives.ts";
import { BUILTINS } from "./rows/builtins.ts";
import { DATABASES } from "./rows/databases.ts";
import { EDITORS } from "./rows/editors.ts";
import { FILES } from "./rows/files.ts";
import { FIND_AND_XARGS } from "./rows/find-and-xargs.ts";
import { GIT } from "./rows/git.ts";
import { LANGUAGES } from "./rows/languages.ts";
import { NETWORK } from "./rows/network.ts";
import { SEARCH } from "./rows/search.ts";
import { SECRETS } from "./rows/secrets.ts";
import { SERVICES } from "./rows/services.ts";
import { SYSTEM } from "./rows/system.ts";
import { TEXT } from "./rows/text.ts";
import { WINDOWS } from "./rows/windows.ts";
import { WRAPPERS } from "./rows/wrappers.ts";

/** The rows of all programs, by family. {@link ProgramRow} says how to add one. */
export const FAMILIES: readonly ProgramFamily[] = [
  BUILTINS,
  FILES,
  TEXT,
  SEARCH,
  GIT,
  LANGUAGES,
  WRAPPERS,
  FIND_AND_XARGS,
  ARCHIVES,
  NETWORK,
  SERVICES,
  EDITORS,
  SYSTEM,
  DATABASES,
  SECRETS,
  WINDOWS,
  AGENTS,
];

/** A row in the form the analysis reads it. */
export interface Program
  extends Omit<ProgramRow, "like" | "reach" | "traits" | "values" | "same" | "starts" | "commandOptions"> {
  /** False for a program without a row. */
  readonly isKnown: boolean;
  readonly is: ReadonlySet<Trait>;
  readonly options: Spelling;
  /** `undefined` when nothing is known about its arguments. */
  readonly roles: Roles | undefined;
  readonly reach: ProgramRow["reach"] | undefined;
  /** Also those whose value is the command as a whole. */
  readonly commandOptions: readonly CommandOption[];
}

/** How the options of a program are written. */
export interface Spelling {
  readonly values: ReadonlySet<string>;
  readonly same: ReadonlyMap<string, string>;
  /** All options that the row names and that may be cut short. */
  readonly long: readonly string[];
  readonly oneDash: boolean;
  readonly cmdlet: boolean;
  readonly subcommands: boolean;
  readonly negatives: boolean;
}

/** What the arguments and option values of a program are. */
export interface Roles {
  readonly args: readonly (Role | undefined)[];
  /** The index of the role that repeats; -1 for none. */
  readonly star: number;
  readonly options: ReadonlyMap<string, Role>;
  readonly more: ProgramRow["addAccess"] | undefined;
}

const MOST_REMEMBERED = 1_000;

/** The rows of some families, looked up by the name of a program. A row is compiled when it is first asked for. */
export function indexPrograms(families: readonly ProgramFamily[]): (name: string) => Program {
  const rows = new Map<string, ProgramRow>();
  for (const family of families)
    for (const [names, row] of Object.entries(family))
      for (const name of names.split(" ")) rows.set(name, row);
  const prefixes = [...rows].filter(([name]) => name.endsWith("*"));
  const rowOf = (name: string): ProgramRow | undefined =>
    rows.get(name) ??
    prefixes.find(([prefix]) => name.startsWith(prefix.slice(0, -1)))?.[1] ??
    // PowerShell, Windows and the file systems of macOS find a program by a name in another case.
    rows.get(name.toLowerCase());
  const remembered = new Map<string, Program>();
  return (name) => {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const row = rowOf(name);
    const shared = row?.like === undefined ? row : rows.get(row.like);
    const program = compile(row ?? {}, shared ?? {}, row !== undefined);
    remembered.set(name, program);
    return program;
  };
}

let index: ((name: string) => Program) | undefined;

/** What is known about a program, by its name without a folder. */
export function programOf(name: string): Program {
  index ??= indexPrograms(FAMILIES);
  return index(name);
}

const WHOLE_VALUE = /^(.+)$/s;

/** `shared` is the row that options, access and reach are taken from. */
function compile(row: ProgramRow, shared: ProgramRow, isKnown: boolean): Program {
  return {
    ...row,
    isKnown,
    is: new Set(row.traits),
    options: spellingOf(shared),
    roles: rolesOf(shared),
    reach: shared.reach,
    commandOptions: [
      ...(row.commandOptions ?? []),
      ...wordsIn(row.starts).map((flag): CommandOption => [flag, WHOLE_VALUE]),
    ],
  };
}

function spellingOf({ values, same, traits = [] }: ProgramRow): Spelling {
  const pairs = wordsIn(same).map((pair) => pair.split("="));
  const cmdlet = traits.includes("cmdlet");
  const named = [...pairs.map(([from = ""]) => from), ...wordsIn(values)];
  return {
    values: new Set(wordsIn(values)),
    same: new Map(pairs.map(([from = "", to = ""]) => [from, to])),
    long: named.filter((option) => cmdlet || option.startsWith("--")),
    oneDash: cmdlet || traits.includes("oneDash"),
    cmdlet,
    subcommands: traits.includes("subcommands"),
    negatives: traits.includes("negatives"),
  };
}

function rolesOf({ access, optionAccess = {}, addAccess }: ProgramRow): Roles | undefined {
  if (access === undefined && addAccess === undefined) return undefined;
  const words = wordsIn(access);
  return {
    args: words.map((word) => ROLES.find((role) => role === word[0])),
    star: words.findIndex((word) => word.endsWith("*")),
    options: new Map(Object.entries(optionAccess)),
    more: addAccess,
  };
}

function wordsIn(text = ""): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}
