// What a person waits for in `tenterhook chat`: its first output, and what a typed key costs in a long session.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM, scratch } from "./lib/hook-process.mjs";
import { inTurns } from "./measure.mjs";

const ROUNDS = 7;
const fileOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** The milliseconds until a program on a terminal shows a text. */
function firstOutput(
  /** @type {string} */ text,
  /** @type {readonly string[]} */ args,
  /** @type {{ cwd: string, env: NodeJS.ProcessEnv }} */ place,
) {
  const printed = execFileSync(
    "python3",
    [fileOf("./lib/first-output.py"), text, process.execPath, ...args],
    { ...place, encoding: "utf8" },
  );
  return Number(printed);
}

async function chatAgainstInk() {
  const { cwd, alone, remove } = scratch();
  try {
    writeFileSync(join(cwd, "script.json"), "[]");
    const place = { cwd, env: { ...alone, TERM: "xterm-256color", CI: "" } };
    const chat = async () => firstOutput("╭", [PROGRAM, "chat", "--model", "scripted:script.json"], place);
    const empty = async () => firstOutput("ready", [fileOf("./lib/empty-ink.mjs")], place);
    // The first calls fill caches.
    for (const once of [chat, empty, chat]) await once();
    return await inTurns(ROUNDS, chat, empty);
  } finally {
    remove();
  }
}

/** What a key costs in a session of so many items. */
async function typing(/** @type {number} */ items) {
  const { cwd, alone, remove } = scratch();
  try {
    const result = join(cwd, "result");
    const child = [fileOf("./lib/chat-child.mjs"), fileOf("../dist/terminal.js"), String(items), result];
    execFileSync("python3", ["-c", "import pty, sys; pty.spawn(sys.argv[1:])", process.execPath, ...child], {
      cwd,
      env: { ...alone, TERM: "xterm-256color" },
      stdio: ["ignore", "ignore", "inherit"],
    });
    return Number(readFileSync(result, "utf8"));
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "first output of tenterhook chat",
    against: "an empty Ink program",
    bound: 1.3,
    measure: chatAgainstInk,
  },
  {
    name: "a typed key in a chat of 5,000 items",
    against: "one of 50 items",
    // What no measurement tells apart on a busy machine.
    bound: 1.2,
    measure: () =>
      inTurns(
        ROUNDS,
        () => typing(5000),
        () => typing(50),
      ),
  },
];
