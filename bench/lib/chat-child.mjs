// A chat with so many items, on a terminal: writes what a typed key costs, in milliseconds of CPU, into a file.
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [, , terminal = "", items = "50", result = ""] = process.argv;
const KEYS = 150;
const { newConversation, showChat } = await import(terminal);
const plain = (/** @type {string} */ text) => text;
const paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain, blue: plain };
const port = { folder: "/", now: () => Date.now(), history: [], remember: () => {} };
const chat = newConversation(port);
const cell = (/** @type {number} */ at) => ({ type: "text", text: `Item ${at} of a long conversation.` });
chat.add(...Array.from({ length: Number(items) }, (_, at) => cell(at)));
const shown = showChat(chat, { paint, signal: new AbortController().signal });
await sleep(500);
const type = async (/** @type {number} */ keys) => {
  for (let at = 0; at < keys; at += 1) {
    chat.change((/** @type {any} */ state) => ({
      ...state,
      line: { text: "x".repeat(at % 60), at: at % 60 },
    }));
    await sleep(0);
  }
};
await type(KEYS);
const before = process.cpuUsage();
await type(KEYS);
const { user, system } = process.cpuUsage(before);
writeFileSync(result, String((user + system) / 1000 / KEYS));
chat.leave();
await shown;
