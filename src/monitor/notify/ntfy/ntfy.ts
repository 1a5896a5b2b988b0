import { createHmac } from "node:crypto";
import { parseRecord } from "../../../core/base/json.ts";
import { capText } from "../../../core/base/text.ts";
import type { TargetOf } from "../../../shared/monitor/channels.ts";
import { outcomeOf } from "../../decisions/receipt.ts";
import type { Channel, ChannelPorts, Notice } from "../channel.ts";
import { call, mustBeTaken } from "../http.ts";
import { elsewhere, fitted, paragraphs } from "../message.ts";
import { missingVariable } from "../variables.ts";
import { linesOf, readTopic } from "./stream.ts";

export const NTFY_URL = "https://ntfy.sh";
/** ntfy's limits: three buttons, and 4096 bytes before a message becomes an attachment. */
const MOST_BUTTONS = 3;
const MOST_BYTES = 4000;
/** Without a sound. */
const QUIET = 2;

/** Asks on a topic of ntfy and takes the answers from another one. */
export function ntfyChannel(key: string, target: TargetOf<"ntfy">, ports: ChannelPorts): Channel {
  const { ntfy: topic, replies, token_env, reply_token_env } = target;
  const { environment, secret } = ports;
  const url = (target.url ?? NTFY_URL).replace(/\/+$/, "");
  const headers = authorization(environment, token_env);
  const publish = async (fields: object, signal: AbortSignal): Promise<void> => {
    const reply = await call({
      url: `${url}/`,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ topic, ...fields }),
      signal,
    });
    mustBeTaken(reply, errorIn(reply.text));
  };
  const refOf = ({ decision, question }: Notice): string => codeOf(secret, decision.id, question);
  return {
    type: "ntfy",
    key,
    ...missingVariable(environment, token_env, reply_token_env),
    buttons: MOST_BUTTONS,
    ref: refOf,
    async send(notice, signal) {
      const ref = refOf(notice);
      await publish(
        {
          sequence_id: sequenceOf(notice),
          title: notice.title,
          message: messageOf(notice, howTo(notice, ref)),
          tags: ["question"],
          priority: 4,
          actions: notice.buttons.map(({ label, choice }) => ({
            action: "http",
            label,
            url: `${url}/${replies}`,
            method: "POST",
            headers: authorization(environment, reply_token_env),
            body: `${ref} ${choice}`,
            clear: true,
          })),
        },
        signal,
      );
      return {};
    },
    /** The server remembers messages for some hours. */
    async find(notice, signal) {
      const wanted = messageOf(notice, howTo(notice, refOf(notice)));
      for await (const { message } of linesOf(`${url}/${topic}/json?poll=1&since=all`, headers, signal))
        if (message === wanted) return {};
      return undefined;
    },
    /** Takes the place of the question; a server before 2.16 shows it as another message, without a sound. */
    async close(notice, _, signal) {
      const outcome = outcomeOf(notice.decision);
      const message = messageOf(notice, `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`);
      await publish(
        { sequence_id: sequenceOf(notice), title: notice.title, message, priority: QUIET },
        signal,
      );
    },
    listen: (signal) =>
      readTopic(
        { url, topic: replies, headers },
        key,
        ports,
        async ({ message }) => {
          const { code, answer } = readReply(message) ?? {};
          const found = code === undefined ? undefined : await ports.find(key, code);
          // Without a code that we made, anybody may have written it.
          if (found === undefined || answer === undefined) return;
          const { text } = await ports.answer({
            ...found,
            text: answer,
            by: "ntfy",
            channel: { type: "ntfy", key },
          });
          await publish({ message: capText(text, 500), priority: QUIET }, signal).catch((error: unknown) =>
            ports.log(`ntfy: ${String(error)}`),
          );
        },
        signal,
      ),
  };
}

function authorization(
  environment: NodeJS.ProcessEnv,
  name: string | undefined,
): Readonly<Record<string, string>> {
  const token = name === undefined ? undefined : environment[name];
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** How ntfy names a message that a later one replaces. */
function sequenceOf({ id }: Notice): string {
  return id.replaceAll(/[^\w-]/g, "-");
}

function howTo({ answerable, buttons, decision }: Notice, code: string): string {
  const example = decision.source === "plan" ? "what to change" : "your answer";
  const tap = buttons.length > 0 ? "Tap a button, or send" : "Send";
  return answerable ? `${tap} to the reply topic: ${code} ${example}` : elsewhere(decision);
}

function messageOf(notice: Notice, last: string): string {
  return fitted(
    notice,
    (shown) => paragraphs(shown, last),
    (message) => Buffer.byteLength(message) <= MOST_BYTES,
  );
}

function errorIn(text: string): string {
  const { error } = parseRecord(text);
  return typeof error === "string" ? error : "";
}

/** No letters and digits that look alike. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH = 8;

/**
 * The code of a question. It shows that the person who answers has seen the question. Anybody may write to a topic whose name they know, so
 * an answer without it does not count.
 */
function codeOf(secret: string, decision: string, question: number): string {
  const digest = createHmac("sha256", secret).update(`ntfy ${decision} ${question}`).digest();
  return Array.from(digest.subarray(0, LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** The code and the answer in `code answer`, as buttons send it and people write it. */
function readReply(text: string): { readonly code: string; readonly answer: string } | undefined {
  const [, code, answer] = /^\s*([a-z2-9]{8})\b[\s:]*(.*)$/is.exec(text) ?? [];
  return code === undefined || answer === undefined ? undefined : { code: code.toLowerCase(), answer };
}
