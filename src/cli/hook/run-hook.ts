import { systemCode } from "../../node/system-code.ts";
import { type Answer, answer, refusal, type Variables } from "./answer.ts";
import { nothingSaid, REFUSED, type Saying } from "./saying.ts";
import { readInput } from "./startup/read-input.ts";

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
  const { runBeside } = await import("./async-process.ts");
  await runBeside(text, environment).catch(() => undefined);
  return 0;
}

async function say({ reply, after }: Answer, saying: Saying): Promise<number> {
  const { stdout, stderr, exit_code } = reply;
  saying.state = "saying";
  saying.exit_code = exit_code;
  if (stderr !== "") await writeAll(saying, 2, `${stderr}\n`);
  const why = stdout === "" ? undefined : isSpoilt(saying) ? SPOILT : await writeAll(saying, 1, stdout);
  // Half a verdict, or one behind other text, is no verdict, and an agent goes on without one.
  if (why !== undefined) {
    saying.exit_code = REFUSED;
    await writeAll(saying, 2, `tenterhook could not say what was decided: ${why}\n${stdout}\n`);
  }
  saying.state = "said";
  await after();
  return saying.exit_code;
}

const SPOILT =
  "something that NODE_OPTIONS has Node load wrote to stdout, where an agent reads nothing but the verdict. Start the agent without it.";

/** True when text of others stands before the verdict. Node loads much to make a stream, so it is asked only in doubt. */
function isSpoilt(saying: Saying): boolean {
  const preloads = process.env.NODE_OPTIONS !== undefined || process.execArgv.length > 0;
  return preloads && Number(Reflect.get(saying.stdout(), "bytesWritten")) > 0;
}

/** Writes all of it, however little the reader takes at once; answers why it can't. Nobody who has gone away is waited for. */
async function writeAll(saying: Saying, descriptor: 1 | 2, given: string): Promise<string | undefined> {
  let rest = Buffer.from(given);
  try {
    while (rest.length > 0) rest = rest.subarray(saying.write(descriptor, rest));
  } catch (error) {
    if (systemCode(error) !== "EAGAIN") return String(error);
    const stream = descriptor === 1 ? saying.stdout() : process.stderr;
    return new Promise((resolve) => {
      stream.on("error", (problem) => resolve(problem.message));
      stream.write(rest, (problem) => resolve(problem?.message));
    });
  }
  return undefined;
}
