// What a person waits for who asks what his hooks would have stopped: sessions as Claude Code writes them, calls and results.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { developerCommands } from "./lib/developer-commands.mjs";
import { PROGRAM, scratch, timed } from "./lib/hook-process.mjs";
import { inlineDefinition } from "./lib/rules-mix.mjs";
import { inTurns } from "./measure.mjs";

// A month of work. With fewer calls the start counts for more: reading and compiling 1,000 rules takes a second.
const CALLS = 100_000;
const RULES = 1000;
const LINES = 300;

/** Half of the calls are lines of the shell, some of them more than once; the others read and edit. */
const texts = developerCommands(LINES);

/** @param {number} at */
function callOf(at) {
  if (at % 4 < 2) return ["Bash", { command: texts[(at * 7919) % texts.length], description: "Work" }];
  const file_path = `/home/dev/app/src/feature-${at % 997}/file-${at % 31}.ts`;
  if (at % 4 === 2) return ["Read", { file_path }];
  return [
    "Edit",
    { file_path, old_string: "const a = 1;\n".repeat(5), new_string: "const b = 2;\n".repeat(6) },
  ];
}

/** @param {number} at */
function linesOf(at) {
  const common = {
    isSidechain: false,
    sessionId: `s${Math.floor(at / 150)}`,
    cwd: "/home/dev/app",
    version: "2.1.325",
  };
  const [name, input] = callOf(at);
  const content = [{ type: "tool_use", id: `toolu_${at}`, name, input }];
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 1000,
    output_tokens: 5,
    service_tier: "standard",
  };
  const message = { id: `msg_${at}`, role: "assistant", model: "m", content, stop_reason: "tool_use", usage };
  const output = `${"x".repeat(60)}\n`.repeat(1 + (at % 40));
  const result = [{ tool_use_id: `toolu_${at}`, type: "tool_result", content: output }];
  const timestamp = "2026-11-17T10:00:00.000Z";
  return [
    { parentUuid: "p", ...common, message, type: "assistant", uuid: `u${at}`, timestamp },
    {
      parentUuid: "u",
      ...common,
      type: "user",
      message: { role: "user", content: result },
      timestamp,
      toolUseResult: output,
    },
  ];
}

/** @param {string} file */
async function writeSession(file) {
  const stream = createWriteStream(file);
  for (let at = 0; at < CALLS; at += 1) {
    const text = linesOf(at).map((line) => `${JSON.stringify(line)}\n`);
    if (!stream.write(text.join(""))) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
}

const BARE = `
const { createReadStream } = require("node:fs");
const { createInterface } = require("node:readline");
createInterface({ input: createReadStream(process.argv[1]) }).on("line", (line) => JSON.parse(line));
`;

async function measure() {
  const { cwd, alone, remove } = scratch();
  try {
    execFileSync(process.execPath, [PROGRAM, "init", "--yes"], { cwd, env: alone });
    const config = join(cwd, ".tenterhook/hooks.yaml");
    const written = parse(readFileSync(config, "utf8"));
    const rules = { ...inlineDefinition(RULES), type: "inline", matcher: { events: ["PreToolUse"] } };
    writeFileSync(config, stringify({ hooks: { ...written.hooks, definitions: [rules] } }));
    const file = join(cwd, "session.jsonl");
    await writeSession(file);
    const ours = [process.execPath, PROGRAM, "replay", "--json", "--config", config, file];
    return await inTurns(
      1,
      () => timed(ours, alone, "", `"events": ${CALLS}`),
      () => timed([process.execPath, "-e", BARE, file], alone),
    );
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: `replay of ${CALLS.toLocaleString("en")} calls with init's packs and 1,000 rules`,
    against: "JSON.parse of the same lines",
    // We wanted 3. Sixteen hooks are asked about each call, and half of the calls here are about a file that no call before
    // was about.
    bound: 16,
    measure,
  },
];
