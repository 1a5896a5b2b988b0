import { writeSync } from "node:fs";
import { LAST_GATE_FLAG } from "../adapters/claude/mod/wire.js";
import { fastRequire } from "../hook/process/fast-require.ts";
import { ASYNC_FLAG, CALL_FLAG, MODULE_FLAG, REFUSED } from "../hook/process/flags.ts";

const [, , command, ...rest] = process.argv;

const load = fastRequire(__dirname, (address) => import(address));

// Agents call `tenterhook hook` before every tool, so nothing else may be loaded for it. Node's own exit code, 1, would let
// the call pass.
if (command === "hook" && [undefined, ASYNC_FLAG, CALL_FLAG, LAST_GATE_FLAG, MODULE_FLAG].includes(rest[0]))
  start("./hook.cjs", REFUSED);
else start("./commands/main.cjs", 1);

function start(file: string, codeWithoutIt: number): void {
  try {
    load(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    writeSync(2, `tenterhook could not start: ${why}. Install it again.\n`);
    process.exitCode = codeWithoutIt;
  }
}
