// What a person waits for on the screens: the first output of `tenterhook run`, and what a key costs when there is much.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM, scratch } from "./lib/hook-process.mjs";
import { inTurns } from "./measure.mjs";

const STARTS = 7;
const ROUNDS = 5;
/** What shows nothing in this time never will. */
const LONGEST_MILLISECONDS = 30_000;
const fileOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** A folder, and the variables of a terminal: Ink draws nothing where CI is set, even to nothing. */
function terminalPlace() {
  const { cwd, alone, remove } = scratch();
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...alone, TERM: "xterm-256color" };
  delete env.CI;
  delete env.CONTINUOUS_INTEGRATION;
  return { place: { cwd, env, timeout: LONGEST_MILLISECONDS }, remove };
}

/** The milliseconds until a program on a terminal shows a text. */
function firstOutput(
  /** @type {string} */ text,
  /** @type {readonly string[]} */ args,
  /** @type {ReturnType<typeof terminalPlace>["place"]} */ place,
) {
  const printed = execFileSync(
    "python3",
    [fileOf("./lib/first-output.py"), text, process.execPath, ...args],
    { ...place, encoding: "utf8" },
  );
  return Number(printed);
}

async function chatAgainstInk() {
  const { place, remove } = terminalPlace();
  try {
    writeFileSync(join(place.cwd, "script.json"), "[]");
    const chat = async () => firstOutput("╭", [PROGRAM, "chat", "--model", "scripted:script.json"], place);
    const empty = async () => firstOutput("ready", [fileOf("./lib/empty-ink.mjs")], place);
    // The first calls fill caches.
    for (const once of [chat, empty, chat]) await once();
    return await inTurns(STARTS, chat, empty);
  } finally {
    remove();
  }
}

/** What a key costs on a screen with so many things. */
async function keyCost(/** @type {"typing" | "scrolling" | "top"} */ what, /** @type {number} */ count) {
  const { place, remove } = terminalPlace();
  try {
    const result = join(place.cwd, "result");
    const child = [
      fileOf("./lib/screen-child.mjs"),
      fileOf("../dist/terminal.js"),
      what,
      String(count),
      result,
    ];
    execFileSync("python3", ["-c", "import pty, sys; pty.spawn(sys.argv[1:])", process.execPath, ...child], {
      ...place,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return Number(readFileSync(result, "utf8"));
  } finally {
    remove();
  }
}

const manyAgainstFew = (
  /** @type {"typing" | "scrolling" | "top"} */ what,
  /** @type {number} */ many,
  /** @type {number} */ few,
) =>
  inTurns(
    ROUNDS,
    () => keyCost(what, many),
    () => keyCost(what, few),
  );

// What no measurement tells apart on a busy machine is 1.2.
/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "first output of tenterhook run",
    against: "an empty Ink program",
    bound: 1.3,
    measure: chatAgainstInk,
  },
  {
    name: "a typed key in a chat of 5,000 items",
    against: "one of 50 items",
    bound: 1.2,
    measure: () => manyAgainstFew("typing", 5000, 50),
  },
  {
    name: "a key that scrolls through a chat of 5,000 items",
    against: "one of 50 items",
    bound: 1.2,
    measure: () => manyAgainstFew("scrolling", 5000, 50),
  },
  {
    name: "a key in tenterhook agents -w with 200 agents",
    against: "with 10 agents",
    bound: 2,
    measure: () => manyAgainstFew("top", 200, 10),
  },
];
