import type { Word, WordPart } from "unbash";
import { forEachExpansion } from "./arithmetic.ts";
import { expandBraces } from "./braces.ts";
import type { Frame } from "./frame.ts";
import { splitFields, unknown } from "./marked.ts";
import { expandParameter } from "./parameters.ts";
import { parseShell } from "./parser.ts";
import { type Scope, variableValue } from "./scope.ts";
import { substitute, substituteProcess } from "./substitution.ts";

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
  if (word.parts === undefined) return [word.value];
  return withBraces(word.parts).flatMap((parts) => assemble(pieces(parts, frame)));
}

/** The text a word becomes where the shell does not split it: assignments, redirections, `case`. */
export function expandText(word: Word, frame: Frame): string {
  if (word.parts === undefined) return word.value;
  return joined(word.parts, frame);
}

/** The text of parts that stand outside of any word, such as the body of a here-document. */
export function joined(parts: readonly WordPart[], frame: Frame): string {
  const text = pieces(parts, frame)
    .map((piece) => (piece.breaks ? ` ${piece.text}` : piece.text))
    .join("");
  return text.length > LONGEST_VALUE ? unknown("…") : text;
}

/** All the words that braces make of one. */
function withBraces(parts: readonly WordPart[]): readonly (readonly WordPart[])[] {
  let words: WordPart[][] = [[]];
  for (const part of parts) {
    const choices = part.type === "BraceExpansion" ? expandBraces(part.text) : undefined;
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
      return [{ text: part.text, splits: false }];
    case "BraceExpansion":
      // Too many to list; a single text that no rule should take for a plain name.
      return [{ text: /[,]|\.\./.test(part.text) ? unknown(part.text) : part.text, splits: false }];
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.flatMap((child) => listPieces(child, frame) ?? [quoted(child, frame)]);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return [{ text: separated(expansion(part, frame), frame.scope), splits: true }];
    case "ProcessSubstitution":
      return [{ text: substituteProcess(part, frame), splits: false }];
    default:
      part satisfies never;
      return [{ text: unknown("?"), splits: false }];
  }
}

/** A value the line set for `IFS` says where unquoted values are split. */
function separated(text: string, scope: Scope): string {
  const separators = scope.tables.variables.get("IFS");
  if (separators === undefined || separators === "" || separators.length > 8) return text;
  return [...text].map((char) => (separators.includes(char) ? " " : char)).join("");
}

function quoted(part: WordPart, frame: Frame): Piece {
  return { text: part.type === "Literal" ? part.value : expansion(part, frame), splits: false };
}

/** `"$@"` and `"${list[@]}"` stay separate arguments inside quotes. */
function listPieces(part: WordPart, frame: Frame): readonly Piece[] | undefined {
  let items: readonly string[] | undefined;
  if (part.type === "SimpleExpansion" && part.text === "$@") items = frame.scope.positional;
  if (part.type === "ParameterExpansion" && part.prefix === undefined && part.operation === undefined) {
    if (part.parameter === "@") items = frame.scope.positional;
    if (part.index?.value === "@") items = frame.scope.tables.arrays.get(part.parameter);
  }
  return items?.map((text, index) => ({ text, splits: false, breaks: index > 0 }));
}

function expansion(part: WordPart, frame: Frame): string {
  switch (part.type) {
    case "SimpleExpansion":
      return variableValue(frame.scope, part.text.slice(1), part.text);
    case "ParameterExpansion":
      return expandParameter(part, frame.scope, (word) => expandText(word, frame));
    case "CommandExpansion":
      return substitute(part, frame);
    case "ArithmeticExpansion":
      forEachExpansion(part, (inner) => expansion(inner, frame));
      return /^\$\(\(\s*\d+\s*\)\)$/.test(part.text) ? part.text.replace(/\D/g, "") : unknown(part.text);
    default:
      return part.text;
  }
}

function assemble(list: readonly Piece[]): readonly string[] {
  const fields: string[] = [];
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
  return fields;
}
