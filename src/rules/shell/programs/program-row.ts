import type { Behaviour, ParsedOptions, ShellCommand, ShellReach } from "../analysis.ts";
import type { Frame, Redirections, Stream, Walk } from "../state/frame.ts";
import type { Scope } from "../state/scope.ts";

/**
 * Everything the analysis knows about one program. A program is one row in one file of `programs/rows`.
 *
 * To add a program, put a row into the file of its family; a test finds a name that has two. Most rows need no more
 * than how options are written and what the arguments are:
 *
 * ```ts
 * shred: { values: "-n --iterations", same: "--remove=-u", access: "d*" },
 * ```
 *
 * A key may list several programs with the same row (`"less more"`), and end in `*` for all names that begin so
 * (`"mkfs mkfs.*"`). A program without a row is read the common way: letters after one dash, words after two, no values.
 */
export interface ProgramRow {
  /** Another program, whose options, access and reach this one has. Nothing else is taken from its row. */
  readonly like?: string;
  readonly traits?: readonly Trait[];

  /** Options that take the next word as their value. */
  readonly values?: string;
  /** Spellings of options that mean the same: `long=short`. */
  readonly same?: string;

  /** The {@link Role} of each argument, as in `"- r* w"`; with `*` it holds for many, one after that for the last. */
  readonly access?: string;
  /** The roles of option values. */
  readonly optionAccess?: Readonly<Record<string, Role>>;
  /** What needs code: values inside arguments, directions, modes. It runs after the roles were read. */
  readonly addAccess?: AddAccess;
  /** The files it reads or writes without naming them one by one: those of a folder, or those that fit a glob. */
  readonly reach?: FindReach;

  /** It runs the command in its arguments. */
  readonly wraps?: Wrapper;
  /** The same for some of its subcommands: `{ "compose exec": … }`. */
  readonly wrapsAfter?: Readonly<Record<string, Wrapper>>;
  /** It runs a command for each of many items. */
  readonly repeats?: Run;
  /** A command of the shell itself, which changes what later commands mean or runs text. */
  readonly builtin?: Run;
  /** Options whose value is a command, which it starts or gives to a shell. */
  readonly starts?: string;
  /** Options whose value holds a command: the first group of the expression. */
  readonly commandOptions?: readonly CommandOption[];
  /** The same for an argument. */
  readonly commandArgument?: RegExp;
  /** Shell text that it runs for another reason. */
  readonly otherCommands?: (
    command: WrittenCommand,
    walk: Walk,
    stdin: string | undefined,
  ) => readonly string[];
  /** The code it runs, from its words or standard input. */
  readonly code?: FindCode;
  /** What it gives a new name: a file, a variable (`printf -v`), or a program (`hash -p`). */
  readonly renames?: "file" | "variable" | "program";

  /** What it prints, where that follows from its words and input alone. */
  readonly output?: Output;
  /** The trait `harmless` holds for commands that fit. */
  readonly harmlessWhen?: RegExp;
  /** The secrets it prints; an expression fits the rest of a line that prints one, and begins with a space. */
  readonly printsSecret?: RegExp | ((invocation: Invocation) => readonly string[]);
  /** The trait `sendsStdin` holds for some of its commands. */
  readonly sendsStdinWhen?: (invocation: Invocation) => boolean;
  /** Files that its dialogue or settings file sends. */
  readonly dialogue?: (invocation: Invocation) => readonly string[];
  /** How a shell can be tied to its connection: by its input, also by an option such as `-e`, or by an address. */
  readonly carriesShell?: "input" | "input or option" | "address";
  /** It runs statements on a database, in this language. */
  readonly database?: "sql" | "mongo";
  /** Whether the files it writes are left empty. */
  readonly empties?: (invocation: Invocation) => boolean;
  /** Paths it loses in a way of its own. */
  readonly loses?: (invocation: Invocation) => readonly string[];
  /** What else it does, apart from what it touches; `runs` finds the texts of the commands that it runs elsewhere. */
  readonly acts?: (invocation: Invocation, runs: () => readonly string[] | undefined) => readonly Behaviour[];
}

/** The rows of one family of programs, each under the names of its programs. */
export type ProgramFamily = Readonly<Record<string, ProgramRow>>;

/** What a program is, in a word. */
export type Trait =
  /** Its long options begin with one dash (`-auto-approve`), so words are not split into letters. */
  | "oneDash"
  /** It is a command of PowerShell: options in any case, which may be cut short, with values after a colon too. */
  | "cmdlet"
  /** Its first argument is a subcommand. */
  | "subcommands"
  /** A negative number after its first option is an argument, as the `-1` of `kill -9 -1`. */
  | "negatives"
  /** It is a shell: it runs text from `-c`, a file or standard input. */
  | "shell"
  /** It is an interpreter that runs a program from standard input or a file. */
  | "interpreter"
  /** It runs files or programs that its words name, apart from those its row says. */
  | "runsFiles"
  /** It stores shell text from standard input and runs it later. */
  | "runsStdinLater"
  /** It writes into the commands that its options name. */
  | "feedsCommands"
  /** Its words may hold a command, so that a line with it is never read without the parser. */
  | "needsParser"
  /** It types its words into a terminal, or opens one with them. */
  | "types"
  /** It unpacks archives, so that later commands may run what was in them. */
  | "unpacks"
  /** It prints the files it is given. */
  | "printsFiles"
  /** It writes its input into the files it is given. */
  | "storesInput"
  /** Without arguments it prints nothing. */
  | "silent"
  /** Without arguments it prints every variable. */
  | "printsVariables"
  /** It only passes on or changes what flows through it. */
  | "filters"
  /** What it prints came from the host it names. */
  | "fetches"
  /** What it prints says nothing about the data on this machine. */
  | "harmless"
  /** It only says or uses the name of a file. Wrappers do so too. */
  | "namesOnly"
  /** It sends its standard input to another machine. */
  | "sendsStdin"
  /** It asks name servers, so that a host name itself carries data away. */
  | "looksUpNames"
  /** It makes the folders it is given. */
  | "makesFolders"
  /** It deletes folders with everything in them, also without `-r`. */
  | "deletesFolders"
  /** It changes owners or rights, never the content of a file. */
  | "metadataOnly"
  /** A file it writes loses what was in it. */
  | "replaces";

/**
 * What an argument or option value is to its program.
 * `r` read, `u` read to be used and not shown, `w` written, `d` deleted, `m` moved away, `h` a host, `a` an address
 * (URL), `p` a path here (read) or on another machine, `q` one that is written, `-` nothing of these.
 */
export const ROLES = ["r", "u", "w", "d", "m", "h", "a", "p", "q", "-"] as const;

export type Role = (typeof ROLES)[number];

export type AddTouch = (role: Role, value: string) => void;

/** How a program that runs another command is written. */
export interface Wrapper {
  /** Its own options that take the next word as their value. */
  readonly values?: string;
  /** Options whose value is the folder that the command runs in. */
  readonly folder?: string;
  /** Options whose value sets a variable for the command: `NAME=value`. */
  readonly variables?: string;
  /** Words between its options and the command: the duration of `timeout`, the host of `ssh`. */
  readonly skip?: number;
  /** Words that may stand between its options and the command. */
  readonly passes?: RegExp;
  /** `NAME=value` words may precede the command. */
  readonly assignments?: true;
  /** The rest of the words, joined, is shell text and not a list of arguments. */
  readonly text?: true;
  /** Options whose value is shell text. */
  readonly scripts?: string;
  /** Its name, when the text of a script option is split into words that it reads as if they were its own. */
  readonly splits?: string;
  /** The command begins only after `--`, or there when the words have one. */
  readonly afterDashes?: true | "when given";
  /** Options after which the command begins. */
  readonly begins?: string;
  /** The subcommand is itself the program. */
  readonly named?: true;
  /** It only delays, limits or renames: who runs the command and where stay the same. */
  readonly transparent?: true;
  /** It is a word of the shell: what it runs changes this shell. */
  readonly inShell?: true;
}

/** Runs a command in the mind, without its first word; returns what it prints, `undefined` when unknown. */
export type Run = (words: readonly string[], frame: Frame) => string | undefined;

export type Output = (
  words: readonly string[],
  input: string | undefined,
  parsed: ParsedOptions,
) => string | undefined;

/** What an invocation reaches beyond the files that it names. */
export type FindReach = (invocation: Invocation) => readonly ShellReach[];

export type FindCode = (
  words: readonly string[],
  parsed: ParsedOptions,
  stdin: string | undefined,
) => string | undefined;

export type AddAccess = (parsed: ParsedOptions, add: AddTouch, touches: Touches) => void;

export type CommandOption = readonly [flag: string, value: RegExp];

/** A command as its line has it. */
export type WrittenCommand = Pick<ShellCommand, "flags" | "options" | "args" | "text">;

/** What a command touches. Paths are partly known text, with the current folder in front. */
export interface Touches {
  readonly reads: string[];
  /** Read, but not shown: keys, settings, scripts. */
  readonly uses: string[];
  readonly writes: string[];
  readonly deletes: string[];
  readonly moves: string[];
  readonly connects: string[];
  /** Local files that the arguments send to another machine. */
  readonly uploads: string[];
}

/** One program with its words, while the analysis works out what it does. Texts are partly known. */
export interface Invocation {
  /** The program, or empty text when it is unknown. */
  readonly name: string;
  /** The first word, as it was written. */
  readonly first: string;
  readonly words: readonly string[];
  /** The first word and the others, with spaces between. */
  readonly line: string;
  readonly parsed: ParsedOptions;
  readonly touches: Touches;
  readonly redirections: Redirections;
  readonly stdin: Stream;
  readonly folder: string;
  /** What the line has set before. */
  readonly scope: Scope;
  readonly walk: Walk;
}
