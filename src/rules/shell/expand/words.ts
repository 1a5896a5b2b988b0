import type { Word, WordPart } from "unbash";
import { parseShell } from "../parser.ts";
import { type Frame, mayRead } from "../state/frame.ts";
import { type Scope, variableValue } from "../state/scope.ts";
import { expandBraces } from "../words/braces.ts";
import { splitFields, unknown } from "../words/text.ts";
import { forEachExpansion } from "./evaluated.ts";
import { expandParameter } from "./parameters.ts";
import { mayHoldSubstitution, substitute, substituteProcess } from "./substitutions.ts";

const MOST_WORDS = 256;
const LONGEST_VALUE = 65_536;

/** A stretch of an expanded word; one that `splits` came from an unquoted expansion. */
interface Piece {
  readonly text: string;
  readonly splits: boolean;
  /** The word ends before this piece, as between the parts of `"$@"`. */
  readonly breaks?: boolean;
}

/** The arguments a word becomes: none, one or several. */
export function expandWord(word: Word, frame: Frame): readonly string[] {
  const { parts } = word;
  if (parts === undefined) return [word.value];
  const fields: string[] = [];
  for (const choice of withBraces(parts)) assemble(pieces(choice, frame), fields);
  return fields;
}

/** The arguments that several words become. */
export function expandWords(words: readonly Word[], frame: Frame): readonly string[] {
  return words.flatMap((word) => expandWord(word, frame));
}

/** True for a pattern in which nothing is expanded. */
function isPlainPattern({ type, text }: WordPart): boolean {
  return (type === "Glob" || type === "ExtendedGlob") && !/[$`<>]/.test(text) && !RUNS_CODE.test(text);
}

/** `*(e:'code':)` and `*(+function)`: zsh runs that for each file. */
const RUNS_CODE = /\((?:#q)?[^()|]*(?:\be[:'"{[]|\+[A-Za-z_])/;

/** The text a word becomes where the shell does not split it: assignments, redirections, `case`. */
export function expandText(word: Word, frame: Frame): string {
  const { parts } = word;
  return parts === undefined ? word.value : joined(parts, frame);
}

/** The text of parts outside of any word, such as the body of a here-document. */
export function joined(parts: readonly WordPart[], frame: Frame): string {
  let text = "";
  for (const piece of pieces(parts, frame)) text += piece.breaks ? ` ${piece.text}` : piece.text;
  return text.length > LONGEST_VALUE ? unknown("…") : text;
}

/** All the words that braces make of one. */
function withBraces(parts: readonly WordPart[]): readonly (readonly WordPart[])[] {
  if (!parts.some((part) => part.type === "BraceExpansion" || part.type === "ExtendedGlob")) return [parts];
  let words: WordPart[][] = [[]];
  for (const part of parts) {
    const choices = choicesOf(part);
    if (choices === undefined || words.length * choices.length > MOST_WORDS) {
      for (const word of words) word.push(part);
    } else {
      const options = choices.map(partsOf);
      words = words.flatMap((word) =>
        options.flatMap((option) => withBraces(option).map((more) => [...word, ...more])),
      );
    }
  }
  return words;
}

/** `{a,b}`, and the extended pattern `@(a|b)`, which stands for the files of these names that are there. */
function choicesOf({ type, text }: WordPart): readonly string[] | undefined {
  if (type === "BraceExpansion") return expandBraces(text);
  if (type !== "ExtendedGlob" || RUNS_CODE.test(text)) return undefined;
  const inside = text.slice(2, -1);
  return text.startsWith("@(") && !/[()\\"'$`]/.test(inside) ? inside.split("|") : undefined;
}

/** Any other extended pattern may fit any name. */
function plainPattern({ type, text }: WordPart): string {
  return type === "ExtendedGlob" && !RUNS_CODE.test(text) ? "*" : text;
}

function partsOf(source: string): readonly WordPart[] {
  const command = parseShell(`: ${source}`)?.commands[0]?.command;
  const word = command?.type === "Command" ? command.suffix[0] : undefined;
  if (word?.type !== "Word") return [literal(source)];
  return word.parts ?? [literal(word.value)];
}

function literal(value: string): WordPart {
  return { type: "Literal", pos: 0, end: value.length, value, text: value };
}

function pieces(parts: readonly WordPart[], frame: Frame): readonly Piece[] {
  return parts.flatMap((part) => piecesOf(part, frame));
}

function piecesOf(part: WordPart, frame: Frame): readonly Piece[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ text: part.value, splits: false }];
    case "Glob":
    case "ExtendedGlob":
      // Expansions inside it run, but the pattern itself stays as it is written.
      if (!isPlainPattern(part)) pieces(part.parts ?? partsOf(part.text), frame);
      if (RUNS_CODE.test(part.text)) frame.walk.dynamic = true;
      return [{ text: plainPattern(part), splits: false }];
    case "BraceExpansion":
      if (mayHoldSubstitution(part.text)) pieces(partsOf(part.text.slice(1, -1)), frame);
      // Too many to list; a single text that no rule should take for a plain name.
      return [{ text: /[,]|\.\./.test(part.text) ? unknown(part.text) : part.text, splits: false }];
    case "DoubleQuoted":
    case "LocaleString":
      return quotedPieces(part.parts, frame);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return [
        { text: separated(wholeList(part, frame) ?? expansion(part, frame), frame.scope), splits: true },
      ];
    case "ProcessSubstitution":
      return [{ text: substituteProcess(part, frame), splits: false }];
    default:
      part satisfies never;
      return [{ text: unknown("?"), splits: false }];
  }
}

/** `$list` is the first element in bash and all of them in zsh, which is the careful reading. */
function wholeList({ type, text }: WordPart, { scope, walk }: Frame): string | undefined {
  const elements = type === "SimpleExpansion" ? scope.tables.arrays.get(text.slice(1)) : undefined;
  const whole = elements?.join(" ");
  return whole !== undefined && mayRead(walk, whole.length) ? whole : undefined;
}

/** A value the line set for `IFS` says where unquoted values are split. */
function separated(text: string, scope: Scope): string {
  const separators = scope.tables.variables.get("IFS");
  if (separators === undefined || separators === "" || separators.length > 8) return text;
  return [...text].map((char) => (separators.includes(char) ? " " : char)).join("");
}

function quotedPieces(parts: readonly WordPart[], frame: Frame): readonly Piece[] {
  return parts.flatMap(
    (part) =>
      listPieces(part, frame) ?? {
        text: part.type === "Literal" ? part.value : expansion(part, frame),
        splits: false,
      },
  );
}

/** `"$@"` and `"${list[@]}"` stay separate arguments inside quotes. */
function listPieces(part: WordPart, frame: Frame): readonly Piece[] | undefined {
  let items: readonly string[] | undefined;
  if (part.type === "SimpleExpansion" && part.text === "$@") items = frame.scope.positional;
  if (part.type === "ParameterExpansion" && part.prefix === undefined && part.operation === undefined) {
    if (part.parameter === "@") items = frame.scope.positional;
    if (part.index?.value === "@") items = frame.scope.tables.arrays.get(part.parameter);
  }
  if (items !== undefined && !mayRead(frame.walk, items.join("").length))
    return [{ text: unknown("…"), splits: false }];
  return items?.map((text, index) => ({ text, splits: false, breaks: index > 0 }));
}

/** The value of an expansion, unknown when the line has expanded too much already: `$x$x$x` of a long `x`. */
function expansion(part: WordPart, frame: Frame): string {
  const text = expanded(part, frame);
  return mayRead(frame.walk, text.length) ? text : unknown("…");
}

function expanded(part: WordPart, frame: Frame): string {
  switch (part.type) {
    case "SimpleExpansion":
      return variableValue(frame.scope, part.text.slice(1), part.text);
    case "ParameterExpansion":
      return expandParameter(part, frame, (word) => expandText(word, frame));
    case "CommandExpansion":
      return substitute(part, frame);
    case "ArithmeticExpansion":
      forEachExpansion(part, (inner) => expansion(inner, frame));
      return /^\$\(\(\s*\d+\s*\)\)$/.test(part.text) ? part.text.replace(/\D/g, "") : unknown(part.text);
    default:
      return part.text;
  }
}

/** Adds the arguments that the pieces of one word make. */
function assemble(list: readonly Piece[], fields: string[]): void {
  let current: string | undefined;
  const close = (): void => {
    if (current !== undefined) fields.push(current);
    current = undefined;
  };
  for (const piece of list) {
    if (piece.breaks === true) close();
    if (!piece.splits) {
      current = (current ?? "") + piece.text;
      continue;
    }
    const parts = splitFields(piece.text);
    if (/^[ \t\n]/.test(piece.text)) close();
    parts.forEach((text, index) => {
      if (index > 0) close();
      current = (current ?? "") + text;
    });
    if (parts.length > 0 && /[ \t\n]$/.test(piece.text)) close();
  }
  close();
}
