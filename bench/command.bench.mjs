import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { inTurns } from "./measure.mjs";

/** @type {import("tenterhook").EventInput<"PreToolUse">} */
const EVENT = {
  hook_event_name: "PreToolUse",
  session_id: "session",
  cwd: "/",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_use_id: "call",
};

const ROUNDS = 40;
const WARM_UPS = 30;

/** A hook as people write it in Node: reads the event, looks at it, answers. */
const SCRIPT = `let text = "";
process.stdin.on("data", (chunk) => { text += chunk; });
process.stdin.on("end", () => { JSON.parse(text); process.stdout.write('{"action":"continue"}'); });
`;

/** The same, asked line by line. */
const PERSISTENT = `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { request_id } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ request_id, action: "continue" }) + "\\n");
}
`;

/**
 * A bare spawn: the event written to its stdin, its stdout collected until it is closed.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<string>}
 */
function bareSpawn(file, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: "pipe" });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", () => resolve(text));
    child.stdin.end(JSON.stringify(EVENT));
  });
}

/** @param {() => Promise<unknown>} run */
async function millisecondsOf(run) {
  const before = performance.now();
  await run();
  return performance.now() - before;
}

/**
 * A hook set with one command hook, and the folder of its script.
 *
 * @param {Partial<import("tenterhook").HookDefinition>} definition
 */
async function commandHook(definition) {
  const root = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  writeFileSync(join(root, "hook.js"), SCRIPT);
  writeFileSync(join(root, "persistent.mjs"), PERSISTENT);
  const hooks = createHooks();
  await hooks.add(
    { name: "hook", type: "command", matcher: { events: ["PreToolUse"] }, ...definition },
    { root },
  );
  const fire = async () => {
    const { runs } = await hooks.fire(EVENT);
    if (runs[0]?.failure !== undefined) throw new Error(runs[0].failure.message);
  };
  const close = async () => {
    await hooks.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { root, fire, close };
}

/**
 * @param {Partial<import("tenterhook").HookDefinition>} definition
 * @param {readonly [string, readonly string[]]} bare
 */
async function against(definition, [file, args]) {
  const { root, fire, close } = await commandHook(definition);
  try {
    for (let time = 0; time < WARM_UPS; time += 1) await fire();
    return await inTurns(
      ROUNDS,
      () => millisecondsOf(fire),
      () => millisecondsOf(() => bareSpawn(file, args, root)),
    );
  } finally {
    await close();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "command hook, shell line",
    against: "a bare spawn of the same shell line",
    bound: 1.15,
    measure: () => against({ command: "cat >/dev/null" }, ["/bin/sh", ["-c", "cat >/dev/null"]]),
  },
  {
    name: "command hook, program without a shell",
    against: "a bare spawn of the same program",
    bound: 1.15,
    measure: () => against({ command: ["/bin/sed", "d"] }, ["/bin/sed", ["d"]]),
  },
  {
    name: "command hook, script in Node",
    against: "a bare spawn of the same script",
    bound: 1.15,
    measure: () => against({ script: "hook.js" }, [process.execPath, ["hook.js"]]),
  },
  {
    name: "persistent hook in Node",
    against: "a bare spawn of the same script",
    bound: 0.05,
    measure: () => against({ script: "persistent.mjs", mode: "persistent" }, [process.execPath, ["hook.js"]]),
  },
];
