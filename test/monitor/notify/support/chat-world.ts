import { expect } from "vitest";
import { eventually } from "../../../support/processes.ts";
import { TOKEN, telegramServer } from "./telegram-server.ts";
import { monitored } from "./world.ts";

export const CHAT = 4242;

export const COLOURS = {
  question: "Which colour?",
  options: [{ label: "Blue", description: "Calm." }, { label: "Red" }],
};

/** A monitor that asks in a chat of Telegram. */
export async function chatWorld() {
  const telegram = await telegramServer();
  const target = { telegram: CHAT, token_env: "BOT_TOKEN", url: telegram.url };
  const world = await monitored({ notify: [target] }, { BOT_TOKEN: TOKEN });
  const message = async (at = -1, count = 1) => {
    await eventually(() => expect(telegram.messages().length).toBeGreaterThanOrEqual(count));
    const found = telegram.messages().at(at);
    if (found === undefined) throw new Error("There is no such message.");
    return found;
  };
  return { ...world, telegram, message, target };
}
