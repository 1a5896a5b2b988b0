import { writeSync } from "node:fs";
import type { NativeReply } from "../../../adapters/adapter.ts";
import { systemCode } from "../../../node/system-code.ts";

/** The exit code that an agent takes for a refusal when it can't read what was written. */
export const REFUSED = 2;

/** How far the reply has got. There is one for the process; the guard of the verdict looks at it. */
export interface Reply {
  state: "open" | "writing" | "written";
  exit_code: number;
  /** Writes to a descriptor even while hooks may not. */
  readonly write: (descriptor: 1 | 2, bytes: Buffer) => number;
  /** The stream of descriptor 1, even while `process.stdout` is another one. */
  stdout: () => NodeJS.WritableStream;
}

/** A reply of which nothing is written yet. */
export const NEW_REPLY: Reply = {
  state: "open",
  exit_code: 0,
  write: writeSync,
  // Node loads thirty modules to make a stream, so it is made only when it is needed.
  stdout: () => process.stdout,
};

/** Writes what the agent has to read, and returns the exit code. Never rejects. */
export async function writeReply({ stdout, stderr, exit_code }: NativeReply, reply: Reply): Promise<number> {
  reply.state = "writing";
  reply.exit_code = exit_code;
  if (stderr !== "") await writeAll(reply, 2, `${stderr}\n`);
  const problem =
    stdout === "" ? undefined : hasOtherOutput(reply) ? OTHER_OUTPUT : await writeAll(reply, 1, stdout);
  // An agent ignores half a verdict, and one after other text, and continues.
  if (problem !== undefined) {
    reply.exit_code = REFUSED;
    await writeAll(reply, 2, `tenterhook could not write its decision: ${problem}\n${stdout}\n`);
  }
  reply.state = "written";
  return reply.exit_code;
}

const OTHER_OUTPUT =
  "code that NODE_OPTIONS loads wrote to stdout, where the agent expects only the decision. Start the agent without NODE_OPTIONS.";

/** True when something else has written to stdout. Asking makes a stream, so it is asked only when code is preloaded. */
function hasOtherOutput(reply: Reply): boolean {
  const preloads = process.env.NODE_OPTIONS !== undefined || process.execArgv.length > 0;
  return preloads && Number(Reflect.get(reply.stdout(), "bytesWritten")) > 0;
}

/** Writes everything, however little the reader takes at once. Returns what went wrong. */
async function writeAll(reply: Reply, descriptor: 1 | 2, given: string): Promise<string | undefined> {
  let rest = Buffer.from(given);
  try {
    while (rest.length > 0) rest = rest.subarray(reply.write(descriptor, rest));
  } catch (error) {
    if (systemCode(error) !== "EAGAIN") return String(error);
    const stream = descriptor === 1 ? reply.stdout() : process.stderr;
    return new Promise((resolve) => {
      stream.on("error", (problem) => resolve(problem.message));
      stream.write(rest, (problem) => resolve(problem?.message));
    });
  }
  return undefined;
}
