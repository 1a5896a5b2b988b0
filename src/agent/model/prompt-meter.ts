import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";

/** What a scripted model knows of a prompt. */
export interface PromptSize {
  /** About as many tokens as a real model would count. */
  readonly tokens: number;
  /** How many tool calls the conversation holds so far; more when a number of `call_…` in it is higher. */
  readonly toolCalls: number;
}

const CHARACTERS_A_TOKEN = 4;

/** About as many tokens as a text has; at least one. */
export function tokensIn(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARACTERS_A_TOKEN));
}

interface Known extends PromptSize {
  readonly length: number;
  readonly first: LanguageModelV3Message | undefined;
  readonly last: LanguageModelV3Message | undefined;
}

const NOTHING: Known = { tokens: 0, toolCalls: 0, length: 0, first: undefined, last: undefined };

/**
 * Measures the prompts of one conversation. A prompt that goes on from the last one, which its first and its last
 * message tell, costs only what is new in it: a long conversation is not counted again at every step.
 */
export function promptMeter(): (prompt: LanguageModelV3Prompt) => PromptSize {
  let known = NOTHING;
  return (prompt) => {
    const goesOn = prompt[known.length - 1] === known.last && isSame(prompt[0], known.first);
    const from = goesOn ? known : NOTHING;
    let { tokens, toolCalls } = from;
    for (const message of prompt.slice(from.length)) {
      tokens += contentTokens(message.content);
      if (message.role !== "assistant") continue;
      for (const part of message.content) {
        if (part.type !== "tool-call") continue;
        // A conversation that goes on in another process may have numbers of calls that it does not hold itself.
        toolCalls = Math.max(toolCalls + 1, Number(/^call_(\d+)$/.exec(part.toolCallId)?.[1] ?? 0));
      }
    }
    known = { tokens, toolCalls, length: prompt.length, first: prompt[0], last: prompt.at(-1) };
    return { tokens, toolCalls };
  };
}

/** A real model does not count the bytes of images and files. */
const FILE_TOKENS = 1600;

function contentTokens(content: LanguageModelV3Message["content"]): number {
  let files = 0;
  const text = JSON.stringify(content, (key, value: unknown) => {
    if (key !== "data" || typeof value !== "string") return value;
    files += FILE_TOKENS;
    return "";
  });
  return files + tokensIn(text);
}

/** The system's message is often made again for every request. */
function isSame(a: LanguageModelV3Message | undefined, b: LanguageModelV3Message | undefined): boolean {
  return a === b || (a?.role === "system" && b?.role === "system" && a.content === b.content);
}
