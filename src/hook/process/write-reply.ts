import { fstatSync, statSync, writeSync } from "node:fs";
import type { NativeReply } from "../../adapters/adapter.ts";
import { systemCode } from "../../node/system-code.ts";

/** The exit code that an agent takes for a refusal when it can't read what was written. */
export const REFUSED = 2;

/** Writes what the agent has to read, and returns the exit code. Never rejects. */
export async function writeReply({ stdout, stderr, exit_code }: NativeReply): Promise<number> {
  if (stderr !== "") await writeAll(2, `${stderr}\n`);
  const problem = stdout === "" ? undefined : (unreadable() ?? (await writeAll(1, stdout)));
  if (problem === undefined) return exit_code;
  // An agent ignores half a verdict, and one after other text, and continues.
  await writeAll(2, `tenterhook could not write its decision: ${problem}\n${stdout}\n`);
  return REFUSED;
}

/** Why the agent could not read what is written to stdout now. */
function unreadable(): string | undefined {
  if (leadsNowhere()) return "its stdout is closed, or leads to the null device.";
  return hasOtherOutput() ? OTHER_OUTPUT : undefined;
}

/** True for the null device, which is also what Node opens in place of a stdout that is closed. */
function leadsNowhere(): boolean {
  if (process.platform === "win32") return false;
  try {
    const { rdev } = fstatSync(1);
    return rdev !== 0 && rdev === statSync("/dev/null").rdev;
  } catch {
    return true;
  }
}

const OTHER_OUTPUT =
  "code that NODE_OPTIONS loads wrote to stdout, where the agent expects only the decision. Start the agent without NODE_OPTIONS.";

/** True when something else has written to stdout. Asking makes a stream, so it is asked only when code is preloaded. */
function hasOtherOutput(): boolean {
  const preloads = process.env.NODE_OPTIONS !== undefined || process.execArgv.length > 0;
  return preloads && Number(Reflect.get(process.stdout, "bytesWritten")) > 0;
}

/** Writes everything, however little the reader takes at once. Returns what went wrong. */
async function writeAll(descriptor: 1 | 2, given: string): Promise<string | undefined> {
  let rest = Buffer.from(given);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    if (systemCode(error) !== "EAGAIN") return String(error);
    // Node loads thirty modules to make a stream, so it is made only when it is needed.
    const stream = descriptor === 1 ? process.stdout : process.stderr;
    return new Promise((resolve) => {
      stream.on("error", (problem) => resolve(problem.message));
      stream.write(rest, (problem) => resolve(problem?.message));
    });
  }
  return undefined;
}
