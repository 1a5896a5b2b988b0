import { setTimeout as after } from "node:timers/promises";
import { isRecord } from "../../../core/base/json.ts";
import { capText } from "../../../core/base/text.ts";
import type { TargetOf } from "../../../shared/monitor/channels.ts";
import { outcomeOf } from "../../decisions/receipt.ts";
import { type Channel, type ChannelPorts, DeliveryError, type Notice } from "../channel.ts";
import { elsewhere, fitted, paragraphs } from "../message.ts";
import { missingVariable } from "../variables.ts";
import type { Bot, Fields } from "./bot.ts";
import { keyboardOf, readTap } from "./keyboard.ts";

export const TELEGRAM_URL = "https://api.telegram.org";
const MOST_BUTTONS = 20;
/** Telegram's limits: 4096 characters in a message, 200 in a notice. */
const MOST_TEXT = 4096;
const MOST_ALERT = 190;
const TRIES = 10;
const PAUSE_MILLISECONDS = 50;
/** Messages that waited longer for us are not answered with how to use the bot. */
const RECENT_SECONDS = 600;

export function telegramChannel(
  key: string,
  { telegram: chat, token_env }: TargetOf<"telegram">,
  bot: Bot,
  ports: ChannelPorts,
): Channel {
  const say = (text: string, message: Fields, signal: AbortSignal) =>
    bot.request(
      "sendMessage",
      {
        chat_id: chat,
        text,
        reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
      },
      signal,
    );
  /** A reply may come before we have written down which message it is about. */
  const askedIn = async (asked: unknown) => {
    if (!isRecord(asked) || !Number.isSafeInteger(asked.message_id)) return undefined;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await ports.find(key, String(asked.message_id));
      if (found !== undefined) return found;
      await after(PAUSE_MILLISECONDS);
    }
    return undefined;
  };
  return {
    type: "telegram",
    key,
    ...missingVariable(ports.environment, token_env),
    buttons: MOST_BUTTONS,
    async send(notice, signal) {
      const keyboard = keyboardOf(notice);
      const sent = await bot.request(
        "sendMessage",
        {
          chat_id: chat,
          text: textOf(notice, howTo(notice, keyboard.length > 0)),
          ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard } }),
        },
        signal,
      );
      const id: unknown = isRecord(sent) ? sent.message_id : undefined;
      return Number.isSafeInteger(id) ? { ref: String(id) } : {};
    },
    async close(notice, ref, signal) {
      if (ref === undefined) return;
      const text = textOf(notice, sentence(outcomeOf(notice.decision)));
      await bot
        .request("editMessageText", { chat_id: chat, message_id: Number(ref), text }, signal)
        .catch((error: unknown) => {
          // Deleted by the user, too old, or edited before we were killed.
          if (!(error instanceof DeliveryError && error.final)) throw error;
        });
    },
    listen: (signal) =>
      bot.listen(
        {
          chat,
          key,
          async onTap(callback, message) {
            const tap = readTap(callback, message);
            if (tap === undefined) return;
            const reply =
              "choice" in tap
                ? await ports.answer({
                    ...tap,
                    text: tap.choice,
                    by: nameOf(callback.from),
                    channel: { type: "telegram", key },
                  })
                : undefined;
            if ("keyboard" in tap)
              await bot.request(
                "editMessageReplyMarkup",
                {
                  chat_id: chat,
                  message_id: message.message_id,
                  reply_markup: { inline_keyboard: tap.keyboard },
                },
                signal,
              );
            await bot.request(
              "answerCallbackQuery",
              {
                callback_query_id: callback.id,
                ...(reply === undefined
                  ? {}
                  : { text: capText(reply.text, MOST_ALERT), show_alert: !reply.taken }),
              },
              signal,
            );
          },
          async onMessage(message) {
            const { reply_to_message: asked, text, date, from } = message;
            const present = typeof text === "string" ? await ports.presence(text) : undefined;
            if (present !== undefined) return void (await say(present.text, message, signal));
            const found = await askedIn(asked);
            if (found === undefined || typeof text !== "string") {
              if (Number(date) > Date.now() / 1000 - RECENT_SECONDS)
                await say("Reply to a question with text, or tap one of its buttons.", message, signal);
              return;
            }
            const reply = await ports.answer({
              ...found,
              text,
              by: nameOf(from),
              channel: { type: "telegram", key },
            });
            await say(reply.text, message, signal);
          },
        },
        signal,
      ),
  };
}

function textOf(notice: Notice, last: string): string {
  return fitted(
    notice,
    (shown) => paragraphs(notice.title, shown, last),
    (text) => text.length <= MOST_TEXT,
  );
}

function howTo({ decision, answerable, several }: Notice, hasButtons: boolean): string {
  if (!answerable) return elsewhere(decision);
  if (!hasButtons) return "Reply to this message with your answer.";
  return several
    ? "Tap what you choose, then Send; or reply to this message with your answer."
    : "Tap a button, or reply to this message with your answer.";
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function nameOf(from: unknown): string {
  const { username, first_name, id }: Fields = isRecord(from) ? from : {};
  return typeof username === "string" ? `@${username}` : String(first_name ?? id ?? "user");
}
