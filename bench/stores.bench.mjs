import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonlStore } from "tenterhook/stores";
import { compare } from "./measure.mjs";

const MESSAGES = 10_000;
const OWNER = { session_id: "session", agent_id: "session" };

/**
 * A conversation as agents have it: questions, calls and their results.
 *
 * @param {number} number
 * @param {(number: number) => string} idOf
 */
function message(number, idOf) {
  const base = {
    id: idOf(number),
    turn_id: `turn-${Math.floor(number / 20)}`,
    created_at: "2026-01-02T03:04:05.678Z",
  };
  const call = `call-${number - (number % 2)}`;
  return number % 2 === 0
    ? {
        ...base,
        role: "assistant",
        model: "provider/model",
        usage: { input_tokens: 1200, output_tokens: 80 },
        parts: [
          { type: "text", text: `I look at file ${number} next, since the last one imports it.` },
          {
            type: "tool_call",
            tool_use_id: call,
            tool_name: "Read",
            tool_input: { file_path: `/src/${number}.ts` },
          },
        ],
      }
    : {
        ...base,
        role: "tool",
        parts: [
          {
            type: "tool_result",
            tool_use_id: call,
            tool_name: "Read",
            content: `${number}: export const value = "text";\n`.repeat(12),
          },
        ],
      };
}

/** @param {(number: number) => string} idOf */
async function measure(idOf) {
  const dir = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  try {
    const store = jsonlStore({ dir, durability: "process" });
    await Promise.all(
      Array.from({ length: MESSAGES }, (_, number) => store.append(message(number, idOf), OWNER)),
    );
    const lines = readFileSync(store.location(OWNER) ?? "", "utf8")
      .trimEnd()
      .split("\n");
    const loaded = await store.load("session");
    if (loaded?.messages.length !== MESSAGES || lines.length !== MESSAGES + 1)
      throw new Error(`Expected ${MESSAGES} messages, got ${loaded?.messages.length}.`);
    return await compare(
      async (times) => {
        for (let time = 0; time < times; time += 1) await store.load("session");
      },
      async (times) => {
        for (let time = 0; time < times; time += 1) for (const line of lines) JSON.parse(line);
      },
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Ids that no order helps with: those of one conversation are always the same. */
function digest(/** @type {number} */ number) {
  const hex = createHash("sha256").update(`message ${number}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "loading a transcript of 10,000 messages",
    against: "JSON.parse of its lines",
    bound: 2,
    measure: () => measure((number) => `message-${number}`),
  },
  {
    name: "loading a transcript of 10,000 messages with random ids",
    against: "JSON.parse of its lines",
    bound: 2,
    measure: () => measure(digest),
  },
];
