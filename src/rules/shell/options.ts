import type { ShellOption } from "./analysis.ts";
import { OPTION_TABLE, type OptionSpelling } from "./option-table.ts";
import { SAME_OPTIONS } from "./same-options.ts";

/** The words of a command after its name, sorted into what they are. */
export interface ParsedOptions {
  readonly flags: readonly string[];
  readonly options: readonly ShellOption[];
  readonly args: readonly string[];
}

/** An {@link OptionSpelling} in the form it is looked up in. */
interface Spelling {
  readonly values: ReadonlySet<string>;
  readonly same: ReadonlyMap<string, string>;
  readonly oneDash: boolean;
  readonly subcommands: boolean;
  readonly negatives: boolean;
}

const compiled = new Map<string, Spelling>();

function compile(spelling: OptionSpelling): Spelling {
  const pairs = (spelling.same ?? "").split(" ").filter((pair) => pair !== "");
  return {
    values: new Set((spelling.values ?? "").split(" ")),
    same: new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])),
    oneDash: spelling.oneDash === true,
    subcommands: spelling.subcommands === true,
    negatives: spelling.negatives === true,
  };
}

const COMMON = compile({});

function spellingOf(program: string): Spelling {
  const known = compiled.get(program);
  if (known !== undefined) return known;
  const name = Object.hasOwn(SAME_OPTIONS, program) ? SAME_OPTIONS[program] : undefined;
  const row = name ?? (/^python\d/.test(program) ? "python" : program);
  const spelling = Object.hasOwn(OPTION_TABLE, row) ? compile(OPTION_TABLE[row] ?? {}) : COMMON;
  // Bounded, since the names come from the lines.
  if (compiled.size < 512) compiled.set(program, spelling);
  return spelling;
}

/** True when the first argument of the program is a subcommand, as in `git push`. */
export function hasSubcommands(program: string): boolean {
  return spellingOf(program).subcommands;
}

/** Sorts a command's words into options, their values and arguments, in the program's normal spelling. */
export function parseOptions(program: string, words: readonly string[]): ParsedOptions {
  const spelling = spellingOf(program);
  const flags: string[] = [];
  const options: ShellOption[] = [];
  const args: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      flags.push(word);
      args.push(...words.slice(at + 1));
      break;
    }
    if (
      !word.startsWith("-") ||
      word === "-" ||
      (spelling.negatives && flags.length > 0 && /^-\d+$/.test(word))
    ) {
      args.push(word);
      continue;
    }
    const found = readOption(word, spelling);
    flags.push(...found.flags);
    const last = found.flags.at(-1);
    if (last === undefined || found.value === undefined) continue;
    if (found.value !== "next") options.push({ flag: last, value: found.value.text });
    else if (at + 1 < words.length) {
      at += 1;
      options.push({ flag: last, value: words[at] ?? "" });
    }
  }
  return { flags: flags.length <= FEW && flags.every(isFirst) ? flags : [...new Set(flags)], options, args };
}

/** So few that looking through them is quicker than a set. */
const FEW = 12;

function isFirst(flag: string, index: number, flags: readonly string[]): boolean {
  return flags.indexOf(flag) === index;
}

interface FoundOption {
  readonly flags: readonly string[];
  readonly value: "next" | { readonly text: string } | undefined;
}

function readOption(word: string, spelling: Spelling): FoundOption {
  if (word.startsWith("--") || spelling.oneDash) return readLong(word, spelling);
  if (spelling.values.has(word)) return { flags: [normal(word, spelling)], value: "next" };
  const flags: string[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const flag = `-${word[at]}`;
    flags.push(normal(flag, spelling));
    if (!spelling.values.has(flag)) continue;
    const rest = word.slice(at + 1);
    return { flags, value: rest === "" ? "next" : { text: rest.startsWith("=") ? rest.slice(1) : rest } };
  }
  return { flags, value: undefined };
}

function readLong(word: string, spelling: Spelling): FoundOption {
  const equals = word.indexOf("=");
  const bare = equals === -1 ? word : word.slice(0, equals);
  const written = spelling.oneDash && bare.startsWith("--") ? bare.slice(1) : bare;
  const flag = normal(written, spelling);
  if (equals !== -1) return { flags: [flag], value: { text: word.slice(equals + 1) } };
  return {
    flags: [flag],
    value: spelling.values.has(written) || spelling.values.has(flag) ? "next" : undefined,
  };
}

/** The one spelling of an option; a long option may be cut short as long as only one fits. */
function normal(flag: string, spelling: Spelling): string {
  const exact = spelling.same.get(flag);
  if (exact !== undefined || !flag.startsWith("--") || flag.length < 5) return exact ?? flag;
  if (spelling.values.has(flag)) return flag;
  let found: string | undefined;
  for (const [known, same] of spelling.same) {
    if (!known.startsWith(flag)) continue;
    if (found !== undefined) return flag;
    found = same;
  }
  return found ?? flag;
}
