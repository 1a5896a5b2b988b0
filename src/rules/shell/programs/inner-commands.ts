import type { Walk } from "../state/frame.ts";
import { isKnown, shown } from "../words/text.ts";
import type { Wrapper, WrittenCommand } from "./program-row.ts";
import type { Program } from "./programs.ts";

/** What a wrapper runs: a list of arguments, or text for a shell. */
export type Wrapped =
  | { readonly type: "words"; readonly words: readonly string[] }
  | { readonly type: "text"; readonly text: string };

export interface Unwrapped {
  readonly wrapper: Wrapper;
  /** The words of the wrapper itself, before the command it runs. */
  readonly own: readonly string[];
  readonly assignments: readonly string[];
  readonly runs: readonly Wrapped[];
}

function wordsIn(text = ""): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Looks through one wrapper; `undefined` when the words are not one. `words` begins after the program. */
export function unwrap({ wraps, wrapsAfter }: Program, words: readonly string[]): Unwrapped | undefined {
  if (wraps !== undefined) return readWrapper(wraps, words, 0);
  return wrapsAfter === undefined ? undefined : unwrapSubcommand(wrapsAfter, words);
}

/** The longest key that fits; options before a subcommand (`docker --context x exec`) are skipped. */
function unwrapSubcommand(
  wrappers: Readonly<Record<string, Wrapper>>,
  words: readonly string[],
): Unwrapped | undefined {
  let path = "";
  let found: Wrapper | undefined;
  let end = 0;
  let misses = 0;
  for (let at = 0; at < words.length && at < 12; at += 1) {
    const word = words[at] ?? "";
    if (word.startsWith("-")) continue;
    const longer = path === "" ? word : `${path} ${word}`;
    if (Object.hasOwn(wrappers, longer)) {
      found = wrappers[longer];
      end = at + 1;
    } else if (!Object.keys(wrappers).some((key) => key.startsWith(`${longer} `))) {
      if (found !== undefined || misses > 0) break;
      // One word may be the value of an option before the subcommand.
      misses += words[at - 1]?.startsWith("-") === true ? 1 : 2;
      continue;
    }
    path = longer;
    misses = 0;
  }
  return found === undefined ? undefined : readWrapper(found, words, found.named === true ? end - 1 : end);
}

function readWrapper(wrapper: Wrapper, words: readonly string[], from: number): Unwrapped {
  const values = wordsIn(wrapper.values);
  const scripts = wordsIn(wrapper.scripts);
  const begins = wordsIn(wrapper.begins);
  const runs: Wrapped[] = [];
  const assignments: string[] = [];
  const afterDashes =
    wrapper.afterDashes === true || (wrapper.afterDashes !== undefined && words.includes("--"));
  let skip = wrapper.skip ?? 0;
  let at = from;
  let dashes = false;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const isBegin = begins.has(word);
    if ((word === "--" || isBegin) && !dashes) {
      dashes = true;
      if (isBegin || afterDashes || skip === 99) skip = 0;
      continue;
    }
    if (!dashes && word.startsWith("-") && word.length > 1) {
      const option = readOption(word, values, scripts);
      if (option === "value") at += 1;
      else if (option !== undefined) {
        if (option === "script") at += 1;
        const text = option === "script" ? (words[at] ?? "") : option.script;
        if (wrapper.splits !== undefined) return splitAgain(wrapper, text, words, at + 1);
        runs.push({ type: "text", text });
      }
      continue;
    }
    // Not only names of variables come first: `env 'BASH_FUNC_ls%%=() { …; }' bash`.
    if (wrapper.assignments === true && shown(word).indexOf("=") > 0) {
      assignments.push(word);
      continue;
    }
    if ((afterDashes && !dashes) || wrapper.passes?.test(word) === true) continue;
    if (skip === 0) break;
    skip -= 1;
  }
  const rest = words.slice(at);
  if (rest.length > 0) {
    // `sudo -s` and its like take a whole line. No program has a space in its name.
    const isLine = rest.length === 1 && wrapper.inShell !== true && /\s/.test(rest[0] ?? "");
    runs.push(
      wrapper.text === true || isLine
        ? { type: "text", text: rest.join(" ") }
        : { type: "words", words: rest },
    );
  }
  return { wrapper, own: words.slice(0, at), assignments, runs };
}

/** `env -S "-u X cmd a" -b`: the words of the text come before the others, and are read from the start. */
function splitAgain(wrapper: Wrapper, text: string, words: readonly string[], from: number): Unwrapped {
  const rest = words.slice(from).map((word) => (isKnown(word) ? `'${word.replaceAll("'", "'\\''")}'` : word));
  const again = [wrapper.splits, text.replaceAll("\\_", " "), ...rest].join(" ");
  return { wrapper, own: words.slice(0, from), assignments: [], runs: [{ type: "text", text: again }] };
}

type ReadOption = "value" | "script" | { readonly script: string } | undefined;

function readOption(word: string, values: ReadonlySet<string>, scripts: ReadonlySet<string>): ReadOption {
  if (values.has(word)) return "value";
  if (scripts.has(word)) return "script";
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    return equals !== -1 && scripts.has(word.slice(0, equals))
      ? { script: word.slice(equals + 1) }
      : undefined;
  }
  if (!isKnown(word)) return undefined;
  for (let at = 1; at < word.length; at += 1) {
    const flag = `-${word[at]}`;
    const rest = word.slice(at + 1);
    if (scripts.has(flag)) return rest === "" ? "script" : { script: rest };
    if (values.has(flag)) return rest === "" ? "value" : undefined;
  }
  return undefined;
}

/** True when some word may be an option that holds a command. */
export function mayHideCommand({ commandOptions }: Program, words: readonly string[]): boolean {
  return words.some((word) => word.startsWith("-") && commandOptions.some(([flag]) => word.startsWith(flag)));
}

/** Shell text that a program was given in an option or argument and will run. */
export function hiddenCommands(
  { commandOptions, commandArgument, otherCommands }: Program,
  command: WrittenCommand,
  walk: Walk,
  stdin: string | undefined,
): readonly string[] {
  if (commandOptions.length === 0 && commandArgument === undefined && otherCommands === undefined) return [];
  const found: string[] = [];
  for (const option of command.options)
    for (const [flag, value] of commandOptions)
      if (flag === option.flag) addMatch(found, value, option.value);
  if (commandArgument !== undefined) for (const arg of command.args) addMatch(found, commandArgument, arg);
  if (otherCommands !== undefined) found.push(...otherCommands(command, walk, stdin));
  return found;
}

function addMatch(found: string[], pattern: RegExp, text: string): void {
  const command = pattern.exec(text)?.[1];
  if (command !== undefined) found.push(command);
}
