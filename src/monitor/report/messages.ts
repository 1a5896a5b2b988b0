import { rmSync, unlinkSync } from "node:fs";
import { quickFileName } from "../../node/files/file-name.ts";
import { systemCode } from "../../node/system-code.ts";
import { answerFile, isTaken, takenFile, waitForAnswer, writeAnswer } from "./answers.ts";

/** How long a running agent has to take a message. It looks for one much more often. */
const MESSAGE_MILLISECONDS = 5000;

/**
 * Gives a running agent of ours a message, which takes the way of an answer. False when the agent does not take it, or has
 * another one to take: then nobody reads it later.
 *
 * @throws the file system's error.
 */
export async function sendMessage(
  session: string,
  message: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> {
  const box = mailbox(session);
  if (!(await writeAnswer(box, message, environment))) return false;
  if (await isTaken(box, MESSAGE_MILLISECONDS, environment, signal)) return true;
  try {
    unlinkSync(answerFile(box, environment));
    return false;
  } catch (error) {
    // It was taken at the last moment.
    if (systemCode(error) === "ENOENT") return true;
    throw error;
  }
}

/** Passes messages to a running agent on to it, until the signal is aborted. Never rejects. */
export async function takeMessages(
  session: string,
  take: (message: string) => unknown,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const box = mailbox(session);
  // What was left for an earlier process is not meant for this one.
  rmSync(answerFile(box, environment), { force: true });
  while (!signal.aborted) {
    const given = await waitForAnswer(box, Number.POSITIVE_INFINITY, environment, signal);
    rmSync(takenFile(box, environment), { force: true });
    if (typeof given === "string") await take(given);
  }
}

function mailbox(session: string): string {
  return `message-${quickFileName(session)}`;
}
