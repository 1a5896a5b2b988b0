import { writeSync } from "node:fs";
import { fastRequire } from "./hook/startup/fast-require.ts";
import { ASYNC_FLAG } from "./hook/startup/flags.ts";
import { REFUSED } from "./hook/startup/write-reply.ts";

const [, , command, ...rest] = process.argv;

// Agents call `tenterhook hook` before every tool, so nothing else may be loaded for it.
if (command === "hook" && rest.every((argument) => argument === ASYNC_FLAG)) decide();
else import("./main.ts");

function decide(): void {
  try {
    fastRequire(__dirname, (address) => import(address))("./hook.cjs");
  } catch (error) {
    // Node would exit with 1, which lets the call pass.
    const why = error instanceof Error ? error.message : String(error);
    writeSync(2, `tenterhook could not start: ${why}. Install it again.\n`);
    process.exitCode = REFUSED;
  }
}
