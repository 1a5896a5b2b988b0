import type { ServerResponse } from "node:http";
import { bodyOf, listening } from "./listening.ts";

type Fields = Record<string, unknown>;

interface Key {
  readonly text: string;
  readonly callback_data: string;
}

export interface ChatMessage {
  readonly message_id: number;
  readonly chat: { readonly id: number };
  text: string;
  reply_markup?: { inline_keyboard: Key[][] };
  reply_to_message?: ChatMessage;
}

interface Failure {
  readonly method: string;
  readonly reply: "drop" | "garbage" | Promise<void> | { readonly status: number; readonly body: Fields };
}

export const TOKEN = "4711:the-bots-token";

/**
 * A server that speaks the Bot API as far as a bot that asks and listens needs it: updates are confirmed by a higher
 * offset, requests for them are held, two readers at once conflict, and what Telegram refuses is refused.
 */
export async function telegramServer() {
  const chat = new Map<number, ChatMessage>();
  const calls: { method: string; fields: Fields }[] = [];
  const alerts: { id: string; text?: string; show_alert?: boolean }[] = [];
  const failures: Failure[] = [];
  const queries = new Set<string>();
  let updates: Fields[] = [];
  let nextUpdate = 1000;
  let nextMessage = 1;
  let holding: { readonly end: (reply: Reply) => void } | undefined;

  const newMessage = (chatId: number, text: string, more: Partial<ChatMessage> = {}): ChatMessage => {
    const message = {
      message_id: nextMessage++,
      chat: { id: chatId },
      date: Math.floor(Date.now() / 1000),
      text,
      ...more,
    };
    chat.set(message.message_id, message);
    return message;
  };
  const push = (update: Fields): void => {
    updates.push({ update_id: nextUpdate++, ...update });
    holding?.end(ok(updates.slice(0, 100)));
  };
  const methods: Record<string, (fields: Fields) => Reply | Promise<Reply>> = {
    getUpdates({ offset, timeout = 0 }) {
      holding?.end(error(409, "Conflict: terminated by other getUpdates request"));
      updates = updates.filter(
        ({ update_id }) => offset === undefined || Number(update_id) >= Number(offset),
      );
      if (updates.length > 0 || timeout === 0) return ok(updates.slice(0, 100));
      return new Promise((resolve) => {
        const timer = setTimeout(() => held.end(ok([])), Number(timeout) * 1000);
        const held = {
          end(reply: Reply) {
            clearTimeout(timer);
            if (holding === held) holding = undefined;
            resolve(reply);
          },
        };
        holding = held;
      });
    },
    sendMessage({ chat_id, text, reply_markup, reply_parameters }) {
      const problem = textProblem(text) ?? markupProblem(reply_markup);
      if (problem !== undefined) return error(400, problem);
      const to = reply_parameters as { message_id: number } | undefined;
      const asked = to === undefined ? undefined : chat.get(to.message_id);
      return ok(
        newMessage(Number(chat_id), String(text), {
          ...(reply_markup === undefined ? {} : { reply_markup: reply_markup as never }),
          ...(asked === undefined ? {} : { reply_to_message: asked }),
        }),
      );
    },
    editMessageText({ message_id, text, reply_markup }) {
      const message = chat.get(Number(message_id));
      if (message === undefined) return error(400, "Bad Request: message to edit not found");
      const problem = textProblem(text);
      if (problem !== undefined) return error(400, problem);
      if (message.text === text && message.reply_markup === undefined)
        return error(400, "Bad Request: message is not modified");
      message.text = String(text);
      delete message.reply_markup;
      if (reply_markup !== undefined) message.reply_markup = reply_markup as never;
      return ok(message);
    },
    editMessageReplyMarkup({ message_id, reply_markup }) {
      const message = chat.get(Number(message_id));
      const problem =
        message === undefined ? "Bad Request: message to edit not found" : markupProblem(reply_markup);
      if (message === undefined || problem !== undefined) return error(400, problem ?? "");
      message.reply_markup = reply_markup as never;
      return ok(message);
    },
    answerCallbackQuery({ callback_query_id, text, show_alert }) {
      if (!queries.delete(String(callback_query_id)))
        return error(
          400,
          "Bad Request: query is too old and response timeout expired or query ID is invalid",
        );
      if (String(text ?? "").length > 200) return error(400, "Bad Request: MESSAGE_TOO_LONG");
      alerts.push({
        id: String(callback_query_id),
        ...(text === undefined ? {} : { text: String(text) }),
        show_alert: show_alert === true,
      });
      return ok(true);
    },
  };

  const url = await listening(async (request, response) => {
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const text = await bodyOf(request);
    if (token !== TOKEN) return answer(response, error(401, "Unauthorized"));
    const fields: Fields = text === "" ? {} : JSON.parse(text);
    calls.push({ method, fields });
    const at = failures.findIndex((one) => one.method === method);
    const [failure] = at < 0 ? [] : failures.splice(at, 1);
    if (failure?.reply === "drop") return void request.socket.destroy();
    if (failure?.reply === "garbage") return void response.end("<html>Bad gateway");
    if (failure?.reply instanceof Promise) await failure.reply;
    else if (failure !== undefined) return answer(response, failure.reply);
    const run = methods[method];
    const reply = run === undefined ? error(404, "Not Found") : await run(fields);
    answer(response, reply);
  });

  return {
    url,
    calls,
    alerts,
    /** What is in the chat, the oldest first. */
    messages: (): readonly ChatMessage[] => [...chat.values()],
    /** The next call of a method fails like this, or is answered that late. */
    fail: (method: string, reply: Failure["reply"]): void => void failures.push({ method, reply }),
    /** How many updates the bot has not confirmed. */
    unconfirmed: (): number => updates.length,
    push,
    /** Somebody taps a button. Returns the id of the tap. */
    tap(message: ChatMessage, label: string, { chatId = message.chat.id, user = "anna" } = {}): string {
      const key = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label);
      if (key === undefined) throw new Error(`There is no button ${label}.`);
      const id = `q${nextUpdate}`;
      queries.add(id);
      push({
        callback_query: {
          id,
          from: { id: 7, username: user },
          message: structuredClone({ ...message, chat: { id: chatId } }),
          data: key.callback_data,
        },
      });
      return id;
    },
    /** Somebody writes, as a reply or not. */
    write(chatId: number, text: string, to?: ChatMessage, user = "anna"): void {
      const message = newMessage(chatId, text, to === undefined ? {} : { reply_to_message: to });
      push({ message: { ...message, from: { id: 7, username: user } } });
    },
  };
}

interface Reply {
  readonly status: number;
  readonly body: Fields;
}

function ok(result: unknown): Reply {
  return { status: 200, body: { ok: true, result } };
}

export function error(status: number, description: string, parameters?: Fields): Reply {
  return { status, body: { ok: false, error_code: status, description, ...(parameters && { parameters }) } };
}

function answer(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function textProblem(text: unknown): string | undefined {
  if (typeof text !== "string" || text.trim() === "") return "Bad Request: message text is empty";
  return text.length > 4096 ? "Bad Request: message is too long" : undefined;
}

function markupProblem(markup: unknown): string | undefined {
  if (markup === undefined) return undefined;
  const { inline_keyboard: rows } = markup as { inline_keyboard?: unknown };
  if (!Array.isArray(rows)) return "Bad Request: object expected as reply markup";
  const isBad = rows.flat().some(({ text, callback_data }: Partial<Key>) => {
    const bytes = Buffer.byteLength(callback_data ?? "");
    return !text?.trim() || bytes < 1 || bytes > 64;
  });
  return isBad ? "Bad Request: BUTTON_DATA_INVALID" : undefined;
}
