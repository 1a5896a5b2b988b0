import { systemCode } from "../../node/system-code.ts";
import { type Answer, answer, refusal, type Variables } from "./answer.ts";
import { readInput } from "./read-input.ts";
import { nothingSaid, type Saying } from "./saying.ts";

/** The argument that says that stdin holds what is to run beside an event. */
export const BESIDE = "--beside";

/**
 * `tenterhook hook`: reads a payload, writes the verdict, and only then does the rest. Answers the exit code; never
 * rejects.
 */
export async function runHook(args: readonly string[], environment: Variables): Promise<number> {
  const saying = nothingSaid();
  let text: string;
  try {
    text = await readInput();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return say(refusal(`tenterhook could not read the event: ${why}`), saying);
  }
  if (!args.includes(BESIDE)) return say(await answer(text, environment, saying), saying);
  const { runBeside } = await import("./beside.ts");
  await runBeside(text, environment).catch(() => undefined);
  return 0;
}

async function say({ reply, after }: Answer, saying: Saying): Promise<number> {
  const { stdout, stderr, exit_code } = reply;
  saying.state = "saying";
  saying.exit_code = exit_code;
  if (stderr !== "") await writeAll(saying, 2, `${stderr}\n`);
  if (stdout !== "") await writeAll(saying, 1, stdout);
  saying.state = "said";
  await after();
  return exit_code;
}

/** Writes all of it, however little the reader takes at once. Nobody who has gone away is waited for. */
async function writeAll(saying: Saying, descriptor: 1 | 2, given: string): Promise<void> {
  let rest = Buffer.from(given);
  try {
    while (rest.length > 0) rest = rest.subarray(saying.write(descriptor, rest));
  } catch (error) {
    if (systemCode(error) !== "EAGAIN") return;
    const stream = descriptor === 1 ? saying.stdout() : process.stderr;
    await new Promise<void>((resolve) => {
      stream.on("error", () => resolve());
      stream.write(rest, () => resolve());
    });
  }
}
