import type { ParsedOptions, ShellOption } from "../analysis.ts";
import { shown } from "../words/text.ts";
import { programOf, type Spelling } from "./programs.ts";

/** Sorts a command's words into options, their values and arguments, in the program's normal spelling. */
export function parseOptions(program: string, words: readonly string[]): ParsedOptions {
  return parseWords(programOf(program).options, words);
}

/** The same for a program that was looked up. */
export function parseWords(spelling: Spelling, words: readonly string[]): ParsedOptions {
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
    const value = readOption(word, spelling, flags);
    if (value === undefined) continue;
    const flag = flags[flags.length - 1] ?? "";
    if (value !== NEXT_WORD) options.push({ flag, value });
    else if (at + 1 < words.length) {
      at += 1;
      options.push({ flag, value: words[at] ?? "" });
    }
  }
  return { flags: [...new Set(flags)], options, args };
}

/** The value of an option is the word after it. */
const NEXT_WORD = Symbol("next word");

type OptionValue = string | typeof NEXT_WORD | undefined;

/** Adds the options of a word to the list and returns the value of the last. */
function readOption(word: string, spelling: Spelling, flags: string[]): OptionValue {
  if (word.startsWith("--") || spelling.oneDash) return readLong(word, spelling, flags);
  const takesNext = spelling.values.has(word);
  if (takesNext || word.length === 2) {
    flags.push(normal(word, spelling));
    return takesNext ? NEXT_WORD : undefined;
  }
  const whole = spelling.same.get(word);
  if (whole !== undefined) {
    flags.push(whole);
    return undefined;
  }
  for (let at = 1; at < word.length; at += 1) {
    const flag = `-${word[at]}`;
    flags.push(normal(flag, spelling));
    if (!spelling.values.has(flag)) continue;
    const rest = word.slice(at + 1);
    if (rest === "") return NEXT_WORD;
    return rest.startsWith("=") ? rest.slice(1) : rest;
  }
  return undefined;
}

function readLong(word: string, spelling: Spelling, flags: string[]): OptionValue {
  if (spelling.cmdlet) return readCmdletOption(word, spelling, flags);
  const equals = word.indexOf("=");
  const bare = equals === -1 ? word : word.slice(0, equals);
  const written = spelling.oneDash && bare.startsWith("--") ? bare.slice(1) : bare;
  const flag = normal(written, spelling);
  flags.push(flag);
  if (equals !== -1) return word.slice(equals + 1);
  return spelling.values.has(written) || spelling.values.has(flag) ? NEXT_WORD : undefined;
}

/** `-Path:x` and `-Path x`. A switch may say `:$false`; with a variable, `-WhatIf` can't be relied on. */
function readCmdletOption(word: string, spelling: Spelling, flags: string[]): OptionValue {
  const [name = "", ...rest] = word.split(":");
  const flag = normal(name.toLowerCase(), spelling);
  const takesValue = spelling.values.has(flag);
  const given = shown(rest.join(":"));
  const isOff = flag === "--what-if" ? !/^(?:\$true)?$/i.test(given) : /^\$false$/i.test(given);
  if (takesValue || !isOff) flags.push(flag);
  if (!takesValue) return undefined;
  return rest.length === 0 ? NEXT_WORD : rest.join(":");
}

/** The one spelling of an option; a long option may be cut short as long as only one fits, or one that begins all others. */
function normal(flag: string, spelling: Spelling): string {
  const exact = spelling.same.get(flag);
  const mayBeCut = spelling.cmdlet || (flag.startsWith("--") && flag.length > 3);
  if (exact !== undefined || !mayBeCut) return exact ?? flag;
  if (spelling.values.has(flag)) return flag;
  let shortest: string | undefined;
  for (const known of spelling.long) {
    if (!known.startsWith(flag)) continue;
    if (shortest === undefined || shortest.startsWith(known)) shortest = known;
    else if (!known.startsWith(shortest)) return flag;
  }
  return shortest === undefined ? flag : (spelling.same.get(shortest) ?? shortest);
}
