import { isRecord } from "../../core/base/json.ts";
import { isFilePart } from "../../core/contracts/content.ts";
import type { Message } from "../../core/events/payloads.ts";
import { fileTokens, hasFiles } from "./marks.ts";

export const CHARACTERS_PER_TOKEN = 4;

export function tokensIn(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + tokensOf(message), 0));
}

/** About as many tokens as a message has, not rounded. It turns the message into text. */
export function tokensOf(message: Message): number {
  return hasFiles(message)
    ? fileTokens(message) + lengthWithoutData(message) / CHARACTERS_PER_TOKEN
    : JSON.stringify(message).length / CHARACTERS_PER_TOKEN;
}

function lengthWithoutData(message: Message): number {
  const isData = (holder: unknown, key: string): boolean =>
    key === "data" && isRecord(holder) && isFilePart(holder);
  return JSON.stringify(message, function (this: unknown, key, value: unknown) {
    return isData(this, key) ? undefined : value;
  }).length;
}
