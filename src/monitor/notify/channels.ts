import { createHash } from "node:crypto";
import type { NotifyTarget } from "../../shared/monitor/channels.ts";
import type { Channel, ChannelPorts } from "./channel.ts";
import { commandChannel } from "./command.ts";
import { desktopChannel } from "./desktop.ts";
import { NTFY_URL, ntfyChannel } from "./ntfy/ntfy.ts";
import { type Bot, telegramBot } from "./telegram/bot.ts";
import { TELEGRAM_URL, telegramChannel } from "./telegram/telegram.ts";
import { webhookChannel } from "./webhook.ts";

/** Opens the channels of configurations, each once. */
export function channelOpener(ports: ChannelPorts): (target: NotifyTarget) => Channel {
  const opened = new Map<string, Channel>();
  const bots = new Map<string, Bot>();
  const botOf = (url: string, token: string): Bot => {
    const name = `${url} ${token}`;
    const bot = bots.get(name) ?? telegramBot(url, token, ports);
    bots.set(name, bot);
    return bot;
  };
  const open = (target: NotifyTarget): Channel => {
    const key = (type: string): string => `${type}-${digest(nameOf(target))}`;
    if ("desktop" in target) return desktopChannel(key("desktop"), target, ports);
    if ("command" in target) return commandChannel(key("command"), target, ports);
    if ("webhook" in target) return webhookChannel(key("webhook"), target, ports);
    if ("ntfy" in target) return ntfyChannel(key("ntfy"), target, ports);
    if ("telegram" in target) {
      const { url = TELEGRAM_URL, token_env } = target;
      return telegramChannel(key("telegram"), target, botOf(url, ports.environment[token_env] ?? ""), ports);
    }
    return target satisfies never;
  };
  return (target) => {
    const name = nameOf(target);
    const channel = opened.get(name) ?? open(target);
    opened.set(name, channel);
    return channel;
  };
}

/** The same for all ways to write a configuration: two channels for one chat would take each other's answers. */
function nameOf(target: NotifyTarget): string {
  const url = "telegram" in target ? TELEGRAM_URL : "ntfy" in target ? NTFY_URL : undefined;
  const whole = url === undefined ? target : { url, ...target };
  const fields = Object.entries(whole).map(([name, value]) => [
    name,
    name === "url" ? String(value).replace(/\/+$/, "") : value,
  ]);
  return JSON.stringify(fields.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
