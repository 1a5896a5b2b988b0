import { homeFolder } from "../user-folders.ts";

/** The depth of strings inside strings: `sh -c "bash -c '…'"`. */
const DEEPEST = 4;

/** Variables that hold the project's root when a hook runs. */
const ROOT_VARIABLES = ["CLAUDE_PROJECT_DIR", "TENTERHOOK_PROJECT_DIR", "PWD"];

/** Programs that find a file without its ending, and the endings they try. */
const JAVASCRIPT = /\b(?:node|nodejs|bun|deno|tsx|ts-node)\b/;
const ENDINGS = ["", ".js", ".json", ".node", ".mjs", ".cjs", ".ts", "/index.js", "/package.json"];

/** Variables that the definition sets, by name. */
type SetVariables = Readonly<Record<string, string>>;

/** A variable with its default: `$HOME`, `${D}`, `${D:-.}`. */
const VARIABLE = /\$(?:\{(\w+)(?::?[-=]([^}]*))?\}|(\w+))/g;

/** A variable that is assigned where it is used. */
const ASSIGNING = /\$\{\w+:?=/;

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/** A command whose name is a variable or the output of another command. */
const OPEN_COMMAND = /(?:^|[;&|(])\s*"?(\$[\w{(][^\s;&|)"]*|`[^`]*`)/g;

/** A path that begins with the output of a command. */
const OPEN_PATH = /(?:\$\([^()]{1,300}\)|`[^`]{1,300}`)"?\/[^\s"';&|()]+/g;

/** The ending of a script, in a name without a folder. */
const SCRIPT = /\.(?:[cm]?[jt]s|sh|bash|zsh|py|rb|pl|php|ps1)(?!\w)/;

/**
 * The words of a shell line that could name a file to be read or run. Reads more generously than a shell would: a word
 * too many costs nothing, since only those that are files count; a word too few would leave a script unlooked at. Files
 * that are only written to are left out: they change with every run.
 */
export function shellWords(line: string, root: string, set: SetVariables = {}): readonly string[] {
  return wordsOf(line, knownVariables(root, set), 0);
}

/**
 * The words of a shell line that name a file nobody can know without running it: paths with a variable, a command or a
 * pattern in them, and commands whose own name is one.
 */
export function unknownWords(line: string, root: string, set: SetVariables = {}): readonly string[] {
  const known = knownVariables(root, set);
  const paths = wordsOf(line, known, 0).filter(
    (word) =>
      /^[^\s"']+$/.test(word) && (word.includes("/") || SCRIPT.test(word)) && /[$*?[]|\{[^{}]*,/.test(word),
  );
  const below = pwdNamed(line).match(OPEN_PATH) ?? [];
  const commands = [...pwdNamed(line).matchAll(OPEN_COMMAND)].flatMap(([, name = ""]) =>
    expansions(name, known).filter((word) => /[$`]/.test(word)),
  );
  return [...new Set([...paths, ...below, ...commands])];
}

/** Programs that show or compare the files they are given, and run nothing. */
const READERS = new Set(
  "cat cmp comm cut diff egrep fgrep grep head ls md5sum nl rg sha256sum sort stat tac tail uniq wc".split(
    " ",
  ),
);

/** A redirection to the output, to the errors or to nowhere. */
const TO_NO_FILE = /\s[12]?>(?:&[12]|\s*\/dev\/null)(?=[\s;&|]|$)/g;

/** Words of the shell before a command. */
const KEYWORDS = /^(?:\s*(?:!|if|then|elif|else|fi|\{|\})(?=\s|$))+/;

/** Commands that neither read nor run a file. */
const HARMLESS = new Set(["echo", "exit", "false", "printf", "true"]);

/**
 * The words of a shell line that name files which are only read. Only a line of plain commands counts, and only one in
 * which every program is known: `cat x.sh | sh` and `cat x.sh; sh -c 'sh x.sh'` run their file. What an option names is
 * left out, because it may hold patterns or be a program.
 */
export function wordsOnlyRead(line: string, root: string, set: SetVariables = {}): ReadonlySet<string> {
  const plain = line.replaceAll(TO_NO_FILE, " ");
  if (/[`<>()\\\n]|[{}][^\s;&|]|[^\s;&|][{}]/.test(plain)) return new Set();
  const known = knownVariables(root, set);
  const commands = plain
    .split(/[;&|]+/)
    .map((command) => splitLine(command.replace(KEYWORDS, "")).map(({ text }) => text))
    .filter((words) => words.length > 0);
  if (!commands.every(([program = ""]) => READERS.has(program) || HARMLESS.has(program))) return new Set();
  const found = new Set<string>();
  const others = new Set<string>();
  for (const [, ...args] of commands)
    for (const [at, word] of args.entries()) {
      const isOperand = !word.startsWith("-") && args[at - 1]?.startsWith("-") !== true;
      for (const one of expansions(word, known))
        if (isOperand) found.add(one);
        else for (const part of one.split("=")) others.add(part);
    }
  return new Set([...found].filter((word) => !others.has(word)));
}

const OPERAND = /\s+((?!-)(?:"[^"]*"|'[^']*'|[^\s;&|<>()`"'\\])+)/g;

/** A command that writes to the files it is given, creates or removes them, and reads none. */
const WRITER = new RegExp(`((?:^|[;&|(])\\s*(?:tee|touch|rm)(?:\\s+-[\\w-]+)*)((?:${OPERAND.source})+)`, "g");

/** A command that writes to the last file it is given. */
const COPIER = new RegExp(
  `((?:^|[;&|(])\\s*(?:cp|mv)(?:\\s+-[\\w-]+)*(?:${OPERAND.source})+)(?:${OPERAND.source})(?=\\s*(?:$|[;&|)<>]))`,
  "g",
);

/** A line in which the files that such commands write to are written to by redirections. */
function redirected(line: string): string {
  return line
    .replaceAll(COPIER, (_, copies: string, _source: string, target: string) => `${copies} > ${target}`)
    .replaceAll(
      WRITER,
      (_, command: string, files: string) => `${command}${files.replaceAll(OPERAND, " > $1")}`,
    );
}

/** What may follow a word of these lines in the name of a file. */
export function fileEndings(lines: readonly string[]): readonly string[] {
  return lines.some((line) => JAVASCRIPT.test(line)) ? ENDINGS : [""];
}

function knownVariables(root: string, set: SetVariables): Map<string, string> {
  const roots = ROOT_VARIABLES.map((name) => [name, root] as const);
  return new Map([...roots, ["HOME", homeFolder()], ...Object.entries(set)]);
}

function wordsOf(line: string, known: Map<string, string>, depth: number): readonly string[] {
  const words = new Set<string>();
  for (const { text, written } of splitLine(redirected(pwdNamed(line)))) {
    if (written && !ASSIGNING.test(text)) continue;
    // After splitting: the project's path may have blanks in it.
    for (const word of expansions(text, known)) {
      words.add(word);
      for (const part of word.split(/[=:,]/)) words.add(part);
      // The value of a short option may follow it directly: `env -Ctools`.
      if (/^-[A-Za-z]./.test(word)) words.add(word.slice(2));
      const [, name, value] = ASSIGNMENT.exec(word) ?? [];
      if (name !== undefined && value !== undefined) known.set(name, value);
      if (depth < DEEPEST && /[\s;&|<>()'"]/.test(word))
        for (const inner of wordsOf(word, known, depth + 1)) words.add(inner);
    }
  }
  words.delete("");
  return [...words];
}

/** A word with known variables replaced, with their defaults, and without the unknown ones; `~` is the home folder. */
function expansions(word: string, known: ReadonlyMap<string, string>): readonly string[] {
  const put = (
    choose: (value: string | undefined, other: string | undefined) => string | undefined,
  ): string =>
    word
      .replaceAll(
        VARIABLE,
        (whole: string, braced: string | undefined, other: string | undefined, plain: string | undefined) =>
          choose(known.get(braced ?? plain ?? ""), other) ?? whole,
      )
      .replace(/^~(?=\/|$)/, () => homeFolder());
  return [
    ...new Set([
      put((value, other) => value ?? other),
      put((value, other) => other ?? value),
      put((value, other) => value ?? other ?? ""),
    ]),
  ];
}

function pwdNamed(line: string): string {
  return line.replaceAll(/\$\(\s*pwd\s*\)|`\s*pwd\s*`/g, () => "$PWD");
}

interface SplitWord {
  readonly text: string;
  /** True when a shell only writes to it: `> file`, `>> file`, `>| file`, `&> file`. */
  readonly written: boolean;
}

/** Splits at blanks and operators outside of quotes, and removes the quotes. */
function splitLine(line: string): readonly SplitWord[] {
  const words: SplitWord[] = [];
  let text = "";
  let quote: string | undefined;
  let written = false;
  const end = (): void => {
    if (text === "") return;
    words.push({ text, written });
    text = "";
    written = false;
  };
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else text += letter;
    } else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === "\\") {
      at += 1;
      // A line that ends with a backslash goes on in the next one.
      if (line.charAt(at) !== "\n") text += line.charAt(at);
    } else if (/[\s;&|<>()`]/.test(letter)) {
      end();
      written = opensWriting(letter, line.charAt(at - 1), written);
    } else text += letter;
  }
  end();
  return words;
}

/** True when the next word is written to. `=>` and `->` are no redirections. */
function opensWriting(letter: string, before: string, written: boolean): boolean {
  if (letter === ">") return !/[<=-]/.test(before);
  if (letter === " " || letter === "\t") return written;
  return (letter === "|" || letter === "&") && before === ">" && written;
}
