// A screen with so many things on it, on a terminal: writes what a key costs, in milliseconds of CPU, into a file.
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [, , terminal = "", what = "", count = "50", result = ""] = process.argv;
const [WARM_UP, KEYS] = [10, 30];
/** Ink draws at most so often. */
const FRAME_MILLISECONDS = 40;
const { newConversation, showChat, showTop } = await import(terminal);
const plain = (/** @type {string} */ text) => text;
const paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain, blue: plain };
const { signal } = new AbortController();
const now = () => Date.now();
const many = (/** @type {(at: number) => unknown} */ make) =>
  Array.from({ length: Number(count) }, (_, at) => make(at));

/** What Ink reads as if it had been typed. */
async function press(/** @type {string} */ key) {
  process.stdin.unshift(Buffer.from(key));
  await sleep(FRAME_MILLISECONDS);
}

let written = "";
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (/** @type {any} */ text, /** @type {any[]} */ ...more) => {
  written = `${written}${text}`.slice(-20_000);
  return write(text, ...more);
};

/** Waits until the screen was drawn with this, and then until nothing is drawn any more. */
async function drawn(/** @type {string} */ text) {
  while (!written.includes(text)) await sleep(20);
  await sleep(300);
}

function openChat() {
  const chat = newConversation({ folder: "/", now, history: [], remember: () => {} });
  chat.add(...many((at) => ({ type: "text", text: `Item ${at} of a long conversation.` })));
  const shown = showChat(chat, { paint, signal });
  return { chat, shown };
}

/** Each begins, and says which keys are measured and how the screen ends. */
const SCREENS = {
  typing: async () => {
    const { chat, shown } = openChat();
    await drawn("╭");
    const end = async () => {
      chat.leave();
      await shown;
    };
    return { keys: ["x", "\u007f"], end };
  },
  scrolling: async () => {
    const { chat, shown } = openChat();
    await drawn("╭");
    await press("\u000f");
    await drawn("q back");
    const end = async () => {
      await press("q");
      chat.leave();
      await shown;
    };
    return { keys: ["k", "j"], end };
  },
  top: async () => {
    const since = new Date().toISOString();
    const agents = many((at) => ({
      agent: { agent_id: `agent-${at}`, state: "working", since, cwd: `/code/p${at % 7}` },
      name: `agent-${at}`,
      what: `Bash step ${at}`,
    }));
    const port = { now, look: async () => ({ agents, warnings: [] }) };
    const shown = showTop(port, paint, signal);
    await drawn("agent-0");
    const end = async () => {
      await press("q");
      await shown;
    };
    return { keys: ["j", "k"], end };
  },
};

const { keys, end } = await SCREENS[/** @type {keyof typeof SCREENS} */ (what)]();
const pressAll = async (/** @type {number} */ times) => {
  for (let at = 0; at < times; at += 1) await press(keys[at % keys.length] ?? "");
};
await pressAll(WARM_UP);
const before = process.cpuUsage();
await pressAll(KEYS);
const { user, system } = process.cpuUsage(before);
writeFileSync(result, String((user + system) / 1000 / KEYS));
await end();
process.exit();
