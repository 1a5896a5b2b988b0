import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { ModelFailure } from "./failure.ts";
import { FINISH_WORDS, PIECES, UNREAD_PIECES } from "./pieces.ts";

type Finish = Extract<LanguageModelV3StreamPart, { readonly type: "finish" }>;

/**
 * A piece as version 3 of the provider interface has it. Versions 2 and 4 differ in how an answer ends: version 2 says the
 * reason as a word and the usage in plain numbers, version 4 knows answers that were interrupted.
 *
 * @param isOwn true for a model that does not say which version of the interface it has: then nothing else is a piece.
 * @throws ModelFailure `invalid_response` for what is no piece.
 */
export function knownPiece(piece: unknown, isOwn: boolean): LanguageModelV3StreamPart {
  if (!isRecord(piece) || typeof piece.type !== "string")
    throw wrong(`gave ${kindOf(piece)} as a piece of its answer; a piece is an object with a type.`);
  const { type } = piece;
  if (type === "finish") {
    if (isOwn) checkFinish(piece.finishReason);
    return { type, finishReason: reasonOf(piece.finishReason), usage: usageOf(piece.usage) };
  }
  const texts = Object.hasOwn(TEXTS, type) ? TEXTS[type] : undefined;
  if (texts === undefined) checkUnread(type, isOwn);
  else
    for (const text of texts) if (typeof piece[text] !== "string") throw wrongText(type, text, piece[text]);
  // What the loop reads was checked; of other pieces it reads nothing.
  return piece as LanguageModelV3StreamPart;
}

const TEXTS: Readonly<Record<string, readonly string[]>> = PIECES;
const KNOWN: readonly string[] = [...Object.keys(PIECES), ...UNREAD_PIECES];

/** A later version of the interface may have more types. */
function checkUnread(type: string, isOwn: boolean): void {
  if (KNOWN.includes(type)) return;
  const meant = didYouMean(type, KNOWN);
  if (isOwn || meant !== "")
    throw wrong(`gave a piece of the type ${JSON.stringify(type)}, which does not exist.${meant}`);
}

/** An unknown reason would count as an interrupted answer, and the model would be asked again. */
function checkFinish(reason: unknown): void {
  const word = isRecord(reason) ? reason.unified : reason;
  if (FINISH_WORDS.some((known) => known === word)) return;
  const given = typeof word === "string" ? JSON.stringify(word) : kindOf(word);
  throw wrong(`gave a finish whose finishReason is ${given}; it must be one of ${FINISH_WORDS.join(", ")}.`);
}

function wrongText(type: string, field: string, value: unknown): ModelFailure {
  const must = field === "input" ? "a string with JSON" : "a string";
  return wrong(`gave a ${type} whose ${field} is ${kindOf(value)}; it must be ${must}.`);
}

function wrong(what: string): ModelFailure {
  return new ModelFailure("invalid_response", `The model ${what}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function reasonOf(given: unknown): Finish["finishReason"] {
  // Version 2 says "unknown" for a stream that was cut off.
  if (typeof given === "string")
    return { unified: unifiedOf(given), raw: given === "unknown" ? undefined : given };
  const { unified, raw }: Readonly<Record<string, unknown>> = isRecord(given) ? given : {};
  return { unified: unifiedOf(unified), raw: typeof raw === "string" ? raw : undefined };
}

const UNIFIED = ["stop", "length", "content-filter", "tool-calls", "error"] as const;

/** What is not known, and an interrupted answer, is `other`. */
function unifiedOf(word: unknown): Finish["finishReason"]["unified"] {
  return UNIFIED.find((known) => known === word) ?? "other";
}

function usageOf(given: unknown): LanguageModelV3Usage {
  const usage: Readonly<Record<string, unknown>> = isRecord(given) ? given : {};
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  const input: Readonly<Record<string, unknown>> = isRecord(inputTokens)
    ? inputTokens
    : { total: inputTokens };
  const output: Readonly<Record<string, unknown>> = isRecord(outputTokens)
    ? outputTokens
    : { total: outputTokens };
  return {
    inputTokens: {
      total: numberOf(input.total),
      noCache: numberOf(input.noCache),
      cacheRead: numberOf(input.cacheRead ?? cachedInputTokens),
      cacheWrite: numberOf(input.cacheWrite),
    },
    outputTokens: {
      total: numberOf(output.total),
      text: numberOf(output.text),
      reasoning: numberOf(output.reasoning ?? reasoningTokens),
    },
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
