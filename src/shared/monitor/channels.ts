import {
  type Fields,
  field,
  type Issue,
  neededField,
  type ObjectOf,
  type Schema,
  schemas,
} from "../../core/base/schemas.ts";
import { duration } from "./schemas.ts";

const variable = {
  is: "string",
  pattern: /^[A-Za-z_]\w*$/,
  must: "the name of a variable, such as BOT_TOKEN; the secret itself does not belong in a file",
} as const satisfies Schema;

const address = {
  is: "string",
  pattern: /^(?:https:\/\/[^\s/@]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:\/\S*)?$/,
  must: "an address that begins with https://, or with http://localhost, and contains no password",
} as const satisfies Schema;

const topic = {
  is: "string",
  pattern: /^[\w-]{1,64}$/,
  must: "the name of a topic: up to 64 letters, digits, - and _",
} as const satisfies Schema;

const chat = {
  is: "number",
  whole: true,
  must: "the number of a chat, such as 123456789; that of a group is negative",
} as const satisfies Schema;

/** The one table of channels: who is notified of a decision. The first key of each names the channel. */
export const CHANNELS = {
  desktop: {
    desktop: neededField(schemas.word(true), "Shows a notification on the desktop."),
  },
  command: {
    command: neededField(
      schemas.names,
      "Runs a shell line, or a list with a program and its arguments, in your home folder, with the decision as JSON on stdin. What it prints as { choices, message } is the answer. Not in a project's file.",
    ),
    timeout: field(duration, "How long the command has. Default 30."),
  },
  webhook: {
    webhook: neededField(address, "Posts the decision as JSON to this address."),
    secret_env: field(variable, "The variable with the key that signs the request."),
  },
  telegram: {
    telegram: neededField(chat, "Asks in this chat of a Telegram bot, and takes the answer there."),
    token_env: neededField(variable, "The variable with the bot's token."),
    url: field(address, "Another server of the Bot API. Default https://api.telegram.org."),
  },
  ntfy: {
    ntfy: neededField(topic, "Asks on this topic of ntfy."),
    replies: neededField(topic, "The topic that answers come from; another one than that of the questions."),
    token_env: field(variable, "The variable with the access token for both topics."),
    reply_token_env: field(
      variable,
      "The variable with a token that may only write to the reply topic. Buttons contain it.",
    ),
    url: field(address, "Another server. Default https://ntfy.sh."),
  },
} as const satisfies Readonly<Record<string, Fields>>;

export type ChannelType = keyof typeof CHANNELS;

/** One item of `monitor.notify`, of a channel. */
export type TargetOf<Type extends ChannelType> = ObjectOf<(typeof CHANNELS)[Type]>;

/** One item of `monitor.notify`. */
export type NotifyTarget = { [Type in ChannelType]: TargetOf<Type> }[ChannelType];

const NAMES = Object.keys(CHANNELS).join(", ");

export const notifyList = schemas.list(
  schemas.either(
    `an object with one of ${NAMES}`,
    ...Object.values(CHANNELS).map((keys) => schemas.object(keys)),
  ),
  `a list of objects, each with one of ${NAMES}`,
);

/** What is wrong with the channels of a configuration beyond their values, each at its place below `monitor`. */
export function notifyIssues(notify: readonly NotifyTarget[] = []): readonly Issue[] {
  return notify.flatMap((target, at) =>
    "ntfy" in target && target.ntfy === target.replies
      ? [
          {
            path: ["notify", at, "replies"],
            text: "is the topic of the questions; answers need another one.",
          },
        ]
      : [],
  );
}
