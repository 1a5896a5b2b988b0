/** One option of a command with the value it was given, such as `-o` and `out.txt`. */
export interface ShellOption {
  /** The option in its normal spelling, `-o` or `--output`. */
  readonly flag: string;
  readonly value: string;
}

/** A redirection of a simple command, such as `2> errors.log`. */
export interface ShellRedirection {
  readonly operator: string;
  /** The file, descriptor or text on its right side, as far as it is known. */
  readonly target: string;
}

/**
 * What a command does that its name and options alone do not say. Patterns of `runs` name them with an `@`:
 * `runs "@loses"`, `runs "@sends **\/.env"`.
 */
export const BEHAVIOURS = [
  /** Something outside throw-away output is deleted or emptied; the target is its path. */
  "loses",
  /** Local data goes to another machine; the target is a path, a `$VARIABLE`, or `-` for a stream. */
  "sends",
  /** A file gets other content, another place or is deleted; the target is its path. */
  "changes",
  /** The content of a file is shown, copied or packed (not merely used, as `ssh -i key` does). */
  "discloses",
  /** A secret value is printed; the target is the variable or the program that keeps it. */
  "prints-secret",
  /** Text that came over the network is run. */
  "remote-code",
  /** A shell whose input and output are on the network. */
  "reverse-shell",
  /** A function that starts itself twice, or in the background, without end. */
  "fork-bomb",
  /** A file of data or secrets gets other content as a whole; the target is its path. Counts when the file is there. */
  "overwrites",
  /** Processes end that the line does not know to be its own; the target is what finds them. */
  "kills",
  /** A service is opened to everybody or gives somebody all rights; the target is the word that says so. */
  "exposes",
  /** Something in production is changed; the target is the word that says so. */
  "production",
  /** Our program or an agent starts with a variable that loads code into it or moves its settings; the target is the variable. */
  "preloads",
] as const;

export type BehaviourKind = (typeof BEHAVIOURS)[number];

export interface Behaviour {
  readonly kind: BehaviourKind;
  readonly target: string;
}

/** Names or paths, by a glob, that a command leaves out of the folders it goes through. */
export interface ShellExcept {
  readonly glob: string;
  readonly of: "files" | "folders" | "both";
}

/** Files that a command comes by without naming them one by one: those of a folder, or those a glob fits. */
export interface ShellReach {
  readonly access: "reads" | "writes";
  /** A file, a folder with all that is in it, or a glob of them; as written, with a preceding `cd` in front. */
  readonly path: string;
  readonly except: readonly ShellExcept[];
  /** False when the command leaves out files for reasons that its words do not tell. */
  readonly certain: boolean;
}

/** One simple command of a line, after wrappers such as `sudo` or `sh -c` were seen through. */
export interface ShellCommand {
  /** Program without its folder (`/bin/rm` is `rm`); `undefined` when it can't be known without running. */
  readonly name: string | undefined;
  /**
   * Options one by one in their normal spelling: `-rf`, `-fr`, `-r -f` and `--recursive --force` are all
   * `["-r", "-f"]` in the order written, for programs whose equivalents are known.
   */
  readonly flags: readonly string[];
  /** Options that were given a value. */
  readonly options: readonly ShellOption[];
  /** Arguments that are neither options nor their values, as far as they are known. */
  readonly args: readonly string[];
  /** The command as one plain string, words joined by spaces, quoting removed. */
  readonly text: string;
  /** The program, or the program text it runs, can't be known. */
  readonly dynamic: boolean;
  /**
   * True for a wrapper that only delays, limits or renames what follows (`time`, `timeout 5`, `nice`): the
   * command it runs is listed by itself, so a rule that wants every command to fit may pass over the wrapper.
   * False for wrappers that change who runs it or where (`sudo`, `ssh`, `xargs`).
   */
  readonly wrapper: boolean;
  readonly redirections: readonly ShellRedirection[];
  /** Paths it reads, as written; a preceding `cd` is put in front. */
  readonly reads: readonly string[];
  /** Paths it creates, changes, empties, moves or deletes. */
  readonly writes: readonly string[];
  /** Hosts it talks to, in lower case and without port. */
  readonly connects: readonly string[];
  readonly behaviours: readonly Behaviour[];
  /** What it reads and writes of folders it goes through, and of files only its code names. */
  readonly reaches?: readonly ShellReach[] | undefined;
}

/** Everything a shell line would do, as far as it can be known without running it. */
export interface ShellAnalysis {
  readonly commands: readonly ShellCommand[];
  /** Paths as written: `~`, `..` and relative ones stay, the caller normalises. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly connects: readonly string[];
  /** Some command name or program text is unknown, or the line is {@link incomplete}. */
  readonly dynamic: boolean;
  /** The analysis gave up on a part: the line is too long, too deep or can't be parsed. Anything may be in that part. */
  readonly incomplete: boolean;
}

/** The words of a command after its name, sorted into what they are. */
export interface ParsedOptions {
  readonly flags: readonly string[];
  readonly options: readonly ShellOption[];
  readonly args: readonly string[];
}
