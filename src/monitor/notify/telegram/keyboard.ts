import { isRecord } from "../../../core/base/json.ts";
import { AWAY, type Notice } from "../channel.ts";
import type { Fields } from "./bot.ts";

/** Telegram's limit for what a button sends back. */
const MOST_DATA_BYTES = 64;
const CHOSEN = "✓ ";
const DONE = "done";

export interface Key {
  readonly text: string;
  readonly callback_data: string;
}

/** The buttons below a message, each in a row; none when what they would send back is too long. */
export function keyboardOf({ decision, question, buttons, several }: Notice): readonly (readonly Key[])[] {
  const keys = buttons.map(({ label, choice }) => ({
    text: label,
    callback_data: dataOf(decision.id, question, several && choice !== AWAY ? `+${choice}` : choice),
  }));
  const done = { text: "Send", callback_data: dataOf(decision.id, question, DONE) };
  const all = several && keys.length > 0 ? [...keys, done] : keys;
  const fits = all.every(({ callback_data }) => Buffer.byteLength(callback_data) <= MOST_DATA_BYTES);
  return fits ? all.map((key) => [key]) : [];
}

function dataOf(decision: string, question: number, choice: string): string {
  return `${decision} ${question} ${choice}`;
}

export type Tap = { readonly decision: string; readonly question: number } & (
  | { readonly choice: string }
  | { readonly keyboard: readonly (readonly Key[])[] }
);

/** Reads a tap. Where several options can be chosen, the message itself shows which are. */
export function readTap({ data }: Fields, message: Fields): Tap | undefined {
  const [, decision, question, choice] =
    /^(\S+) (\d{1,3}) (\+?\d{1,3}|done|\/away)$/.exec(String(data)) ?? [];
  if (decision === undefined || question === undefined || choice === undefined) return undefined;
  const about = { decision, question: Number(question) };
  if (choice !== DONE && !choice.startsWith("+")) return { ...about, choice };
  const keys = keysIn(message);
  if (choice === DONE) {
    const chosen = keys.filter(({ text }) => text.startsWith(CHOSEN)).map(numberOf);
    return { ...about, choice: chosen.join(",") };
  }
  return { ...about, keyboard: keys.map((key) => [key.callback_data === data ? toggled(key) : key]) };
}

function toggled({ text, callback_data }: Key): Key {
  return { text: text.startsWith(CHOSEN) ? text.slice(CHOSEN.length) : `${CHOSEN}${text}`, callback_data };
}

function numberOf({ callback_data }: Key): string {
  return callback_data.slice(callback_data.lastIndexOf("+") + 1);
}

function keysIn({ reply_markup }: Fields): readonly Key[] {
  const rows: unknown = isRecord(reply_markup) ? reply_markup.inline_keyboard : undefined;
  return [rows].flat(2).flatMap((key) => {
    if (!isRecord(key) || typeof key.text !== "string" || typeof key.callback_data !== "string") return [];
    return [{ text: key.text, callback_data: key.callback_data }];
  });
}
