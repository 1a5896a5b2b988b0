import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { TenterhookError } from "../../core/base/errors.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import { flagOption, type Invocation } from "./command.ts";

const TYPED_AHEAD_MILLISECONDS = 50;
const CTRL_C = 3;

/**
 * Asks for one line on the terminal; `undefined` at its end (Ctrl-D). Ignores what was typed before the question was
 * visible.
 *
 * @throws the signal's reason when it is aborted first.
 */
export async function askLine(
  question: string,
  signal: AbortSignal,
  output: NodeJS.WritableStream = process.stdout,
): Promise<string | undefined> {
  await discardTypedAhead();
  signal.throwIfAborted();
  // A screen that was shown before may have left it so that nothing waits for it.
  process.stdin.ref();
  const terminal = createInterface({
    input: process.stdin,
    output,
    ...(output === process.stdout ? {} : { terminal: true }),
  });
  // The terminal is in raw mode, so Ctrl-C comes here and not to the process.
  terminal.on("SIGINT", () => process.emit("SIGINT"));
  // Without this a question would wait forever after the terminal was closed.
  const ended = new Promise<undefined>((resolve) => {
    terminal.once("close", () => resolve(undefined));
  });
  try {
    return await Promise.race([terminal.question(`  ${question}`, { signal }), ended]);
  } finally {
    terminal.close();
  }
}

/** Asks for a line that nobody sees: a password, a token. */
export async function askSecret(question: string, signal: AbortSignal): Promise<string | undefined> {
  process.stdout.write(question);
  try {
    return await askLine("", signal, new Writable({ write: (_part, _encoding, done) => done() }));
  } finally {
    process.stdout.write("\n");
  }
}

async function discardTypedAhead(): Promise<void> {
  const { stdin } = process;
  if (stdin.isTTY !== true) return;
  const discard = (typed: Buffer): void => {
    if (typed.includes(CTRL_C)) process.emit("SIGINT");
  };
  stdin.setRawMode(true);
  stdin.on("data", discard);
  await sleep(TYPED_AHEAD_MILLISECONDS);
  // On a busy machine the time can be over before anything was read; a round of the event loop reads what is there.
  await nextRound();
  stdin.off("data", discard);
  stdin.pause();
  stdin.setRawMode(false);
}

/**
 * Asks before something is written or run; `--yes` answers.
 *
 * @param unasked the message of the error when nobody can be asked.
 * @throws TenterhookError `confirmation_needed` when nobody can be asked.
 */
export async function mayGoOn(
  question: string,
  invocation: Invocation,
  unasked = `${question} Nobody can be asked.`,
  hint?: string,
): Promise<boolean> {
  const { screen, json } = invocation;
  if (flagOption(invocation, "yes")) return true;
  if (!json && screen.interactive) return confirm(question, invocation);
  throw new TenterhookError("confirmation_needed", unasked, withoutUndefined({ hint }));
}

/** Anything but yes is no. */
export async function confirm(question: string, { signal }: Pick<Invocation, "signal">): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, signal);
  return answer !== undefined && /^y(es)?$/i.test(answer.trim());
}
