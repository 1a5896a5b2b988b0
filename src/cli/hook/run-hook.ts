import { readSync, writeSync } from "node:fs";
import { answer, refusal, type Variables } from "./answer.ts";

/** Longer payloads are refused: nothing an agent sends needs more. */
const MOST_BYTES = 64_000_000;

/** The argument that says that stdin holds what is to run beside an event. */
export const BESIDE = "--beside";

/**
 * `tenterhook hook`: reads a payload, writes the verdict, and only then does the rest. Answers the exit code; never
 * rejects.
 */
export async function runHook(args: readonly string[], environment: Variables): Promise<number> {
  let text: string;
  try {
    text = await readInput();
  } catch (error) {
    return say(
      refusal(`tenterhook could not read the event: ${error instanceof Error ? error.message : error}`),
    );
  }
  if (!args.includes(BESIDE)) return say(await answer(text, environment));
  const { runBeside } = await import("./beside.ts");
  await runBeside(text, environment).catch(() => undefined);
  return 0;
}

async function say({ reply, after }: Awaited<ReturnType<typeof answer>>): Promise<number> {
  const { stdout, stderr, exit_code } = reply;
  if (stderr !== "") await writeAll(2, `${stderr}\n`);
  if (stdout !== "") await writeAll(1, stdout);
  await after();
  return exit_code;
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const add = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes.`);
  };
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(65_536);
      const read = readSync(0, chunk);
      if (read === 0) break;
      add(chunk.subarray(0, read));
    }
  } catch (error) {
    if (codeOf(error) === "EOF") return text(chunks);
    // A pipe that does not block; waiting for it needs a stream, which is dearer to make.
    if (codeOf(error) !== "EAGAIN") throw error;
    for await (const chunk of process.stdin) add(chunk);
  }
  return text(chunks);
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

/** Writes all of it, however little the reader takes at once. Nobody who has gone away is waited for. */
async function writeAll(descriptor: 1 | 2, given: string): Promise<void> {
  let rest = Buffer.from(given);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") return;
    // Not before: Node loads thirty modules to make a stream.
    const stream = descriptor === 1 ? process.stdout : process.stderr;
    await new Promise<void>((resolve) => {
      stream.on("error", () => resolve());
      stream.write(rest, () => resolve());
    });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
