import { isKnown, shown } from "../words/text.ts";
import type { Wrapped } from "./inner-commands.ts";
import { programName } from "./program-name.ts";
import { type Program, programOf } from "./programs.ts";

const NAMES_COMMAND = /^--(?:[\w-]*-)?(?:exec|execute|cmd|command|run|script|shell|hook|eval)$/;

/**
 * What a program may start of which nothing else is known: a known program after `--` or `run`, a shell that is given its text,
 * and the value of an option that is called `--exec` or the like. Where a program types its words, each may be a line.
 */
export function likelyRuns(program: Program, words: readonly string[]): readonly Wrapped[] {
  const types = program.is.has("types");
  if (program.isKnown && !types) return NONE;
  const start = words.findIndex((word, at) => {
    const before = words[at - 1] ?? "";
    const begins = types || before === "--" || (at === 1 && /^(?:run|exec|x)$/.test(before));
    const found = begins || /^-\w*c$/.test(words[at + 1] ?? "") ? knownProgram(word) : undefined;
    return found !== undefined && (begins || found.is.has("shell"));
  });
  const texts = words.flatMap((word, at) => {
    if (types && isLine(word)) return [word];
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const [option, value] =
      equals === -1 ? [word, words[at + 1] ?? ""] : [word.slice(0, equals), word.slice(equals + 1)];
    return NAMES_COMMAND.test(option) && isLine(value) ? [value] : [];
  });
  return [
    ...texts.map((text): Wrapped => ({ type: "text", text })),
    ...(start === -1 ? [] : [{ type: "words", words: words.slice(start) } as const]),
  ];
}

const NONE: readonly Wrapped[] = [];

function knownProgram(word: string): Program | undefined {
  const program = isKnown(word) ? programOf(programName(word) ?? "") : undefined;
  return program?.isKnown === true ? program : undefined;
}

function isLine(text: string): boolean {
  return /\S\s+\S/.test(shown(text));
}
