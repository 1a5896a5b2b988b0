import { writeSync } from "node:fs";
import { fastRequire } from "./hook/startup/fast-require.ts";
import { ASYNC_FLAG, CALL_FLAG, SERVE_FLAG } from "./hook/startup/flags.ts";
import { REFUSED } from "./hook/startup/write-reply.ts";

const [, , command, ...rest] = process.argv;

const load = fastRequire(__dirname, (address) => import(address));

// Agents call `tenterhook hook` before every tool, so nothing else may be loaded for it.
if (command === "hook" && [undefined, ASYNC_FLAG, CALL_FLAG].includes(rest[0])) decide();
else if (command === "hook" && rest[0] === SERVE_FLAG) load("./commands/served.cjs");
else load("./commands/main.cjs");

function decide(): void {
  try {
    load("./hook.cjs");
  } catch (error) {
    // Node would exit with 1, which lets the call pass.
    const why = error instanceof Error ? error.message : String(error);
    writeSync(2, `tenterhook could not start: ${why}. Install it again.\n`);
    process.exitCode = REFUSED;
  }
}
