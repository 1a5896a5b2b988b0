import { createHash } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { errorMessage } from "../../../core/base/error-text.ts";
import { isRecord, parseRecord } from "../../../core/base/json.ts";
import { backoff } from "../../../node/retry.ts";
import { type ChannelPorts, DeliveryError } from "../channel.ts";
import { call } from "../http.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** How long the server holds a request for updates when there are none. */
const POLL_SECONDS = 50;
const MOST_PAUSE = 60_000;

/** What a chat of ours receives: a message, or a tap on a button. */
export interface ChatListener {
  readonly chat: number;
  readonly key: string;
  onMessage(message: Fields): Promise<void>;
  onTap(callback: Fields, message: Fields): Promise<void>;
}

/** A Telegram bot: its requests, and one reader of its updates for all chats. */
export interface Bot {
  /** @throws DeliveryError */
  request(method: string, fields: Fields, signal: AbortSignal): Promise<unknown>;
  /** Reads updates for a chat until the signal is aborted. Never rejects. */
  listen(listener: ChatListener, signal: AbortSignal): Promise<void>;
}

export function telegramBot(url: string, token: string, { log, mark, putMark, report }: ChannelPorts): Bot {
  const listeners = new Map<number, ChatListener>();
  /** The bot's number is no secret; the rest of the token is. */
  const name = `telegram ${token.split(":", 1)[0]} ${createHash("sha256").update(`${url} ${token}`).digest("hex").slice(0, 8)}`;
  const request = async (method: string, fields: Fields, signal: AbortSignal, seconds?: number) => {
    const reply = await call({
      url: `${url.replace(/\/$/, "")}/bot${token}/${method}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
      signal,
      seconds,
    });
    return resultOf(reply.status, reply.text);
  };
  const reportAll = (problem: string | undefined): void => {
    for (const { key } of listeners.values()) report(key, problem);
  };
  const take = async (update: unknown): Promise<void> => {
    if (!isRecord(update)) return;
    const { message, callback_query: callback } = update;
    const asked = isRecord(callback) ? callback.message : message;
    // Only the configured chats count; anybody else who finds the bot gets no answer.
    const listener =
      isRecord(asked) && isRecord(asked.chat) ? listeners.get(Number(asked.chat.id)) : undefined;
    if (listener === undefined || !isRecord(asked)) return;
    if (isRecord(callback)) await listener.onTap(callback, asked);
    else await listener.onMessage(asked);
  };
  let isReached = false;
  const readNext = async (signal: AbortSignal): Promise<void> => {
    const last = await mark(name);
    const updates = await request(
      "getUpdates",
      {
        ...(last === undefined ? {} : { offset: Number(last) + 1 }),
        // Whoever starts the monitor waits for the first word.
        timeout: isReached ? POLL_SECONDS : 0,
        allowed_updates: ["message", "callback_query"],
      },
      signal,
      POLL_SECONDS + 15,
    );
    isReached = true;
    reportAll(undefined);
    for (const update of Array.isArray(updates) ? updates : []) {
      const id: unknown = isRecord(update) ? update.update_id : undefined;
      await take(update).catch((error: unknown) => {
        // Its answer was taken, only the reply was not sent. After anything else, the update is read again.
        if (!(error instanceof DeliveryError)) throw error;
        log(`telegram: an update could not be answered: ${error.message}`);
      });
      if (Number.isSafeInteger(id)) await putMark(name, String(id));
    }
  };
  let reading: Promise<void> | undefined;
  const read = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await readNext(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        const problem = errorMessage(error);
        if (failures === 0) log(`telegram: ${problem}`);
        reportAll(problem);
        const pause = error instanceof DeliveryError ? error.pause : undefined;
        await after(pause ?? Math.min(backoff(failures), MOST_PAUSE), undefined, { signal }).catch(
          () => undefined,
        );
        failures += 1;
      }
    }
  };
  return {
    request,
    listen(listener, signal) {
      listeners.set(listener.chat, listener);
      // Telegram lets one reader in at a time.
      reading ??= read(signal);
      return reading;
    },
  };
}

/** Errors that a second try does not mend. */
const FINAL: readonly number[] = [400, 401, 403, 404];

/** @throws DeliveryError for a reply that is no result. */
function resultOf(status: number, text: string): unknown {
  const reply = parseRecord(text);
  if (reply.ok === true) return reply.result;
  const { description, parameters } = reply;
  const wait = isRecord(parameters) ? Number(parameters.retry_after) : Number.NaN;
  const problem = typeof description === "string" ? description.slice(0, 200) : `It answered ${status}`;
  throw new DeliveryError(`${problem}.${WAYS_OUT[status] ?? ""}`, {
    final: FINAL.includes(status),
    pause: Number.isFinite(wait) ? wait * 1000 : undefined,
  });
}

const WAYS_OUT: Readonly<Record<number, string>> = {
  401: " Check the bot's token.",
  404: " Check the bot's token.",
  409: " Each machine needs a bot of its own.",
};
