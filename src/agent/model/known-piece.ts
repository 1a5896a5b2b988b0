import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isRecord } from "../../core/base/json.ts";
import type { ModelPiece } from "./agent-model.ts";

type Finish = Extract<LanguageModelV3StreamPart, { readonly type: "finish" }>;

/**
 * A piece as version 3 of the provider interface has it. Versions 2 and 4 differ in how an answer ends: version 2 says the
 * reason as a word and the usage in plain numbers, version 4 knows answers that were interrupted.
 */
export function knownPiece(piece: ModelPiece): LanguageModelV3StreamPart {
  if (piece.type === "finish") return finishOf({ ...piece });
  // The provider vouches for the rest: what a piece of an unknown type holds is never read.
  return piece as LanguageModelV3StreamPart;
}

function finishOf({ finishReason, usage }: Readonly<Record<string, unknown>>): Finish {
  return { type: "finish", finishReason: reasonOf(finishReason), usage: usageOf(usage) };
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
