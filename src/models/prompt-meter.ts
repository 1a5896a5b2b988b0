import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";

/** What a scripted model knows of a prompt. */
export interface PromptSize {
  /** About as many tokens as a real model would count. */
  readonly tokens: number;
  /** How many tool calls the conversation holds so far. */
  readonly toolCalls: number;
}

const CHARACTERS_A_TOKEN = 4;

/** About as many tokens as a text has; at least one. */
export function tokensIn(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARACTERS_A_TOKEN));
}

/**
 * Measures the prompts of one conversation. A prompt that goes on from the last one, with the very same messages before
 * its end, costs only what is new in it: a long conversation is not counted again at every step.
 */
export function promptMeter(): (prompt: LanguageModelV3Prompt) => PromptSize {
  let known: PromptSize & { readonly length: number; readonly last?: LanguageModelV3Message } = nothing;
  return (prompt) => {
    const goesOn = known.length > 0 && prompt[known.length - 1] === known.last;
    const from = goesOn ? known : nothing;
    let { tokens, toolCalls } = from;
    for (const message of prompt.slice(from.length)) {
      tokens += tokensIn(JSON.stringify(message.content));
      if (message.role !== "assistant") continue;
      toolCalls += message.content.filter((part) => part.type === "tool-call").length;
    }
    const last = prompt.at(-1);
    known = { tokens, toolCalls, length: prompt.length, ...(last === undefined ? {} : { last }) };
    return { tokens, toolCalls };
  };
}

const nothing = { tokens: 0, toolCalls: 0, length: 0 } as const;
