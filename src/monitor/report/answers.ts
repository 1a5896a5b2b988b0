import { existsSync, readdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { createAtomically } from "../../node/files/atomic-write.ts";
import { quickFileName } from "../../node/files/file-name.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";

/** Who has answered, and where. */
export interface Answerer {
  readonly by?: string;
  readonly channel?: string;
}

/** An answer with the one who gave it. */
export interface GivenAnswer extends Answerer {
  readonly answer: unknown;
}

const PAUSE_MILLISECONDS = 100;
const MOST_BYTES = 1_000_000;
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Answers a prompt that a hook waits for, by a file with the id of the prompt's record, written atomically.
 *
 * @returns false when the prompt has an answer already, or was closed by {@link closePrompt}.
 * @throws the file system's error.
 */
export function writeAnswer(
  promptId: string,
  answer: unknown,
  environment: NodeJS.ProcessEnv,
  who: Answerer = {},
): Promise<boolean> {
  return createAnswer(promptId, contentOf(answer, who), environment);
}

/** True when this is the answer that the prompt has: it was written before. */
export function hasAnswer(
  promptId: string,
  answer: unknown,
  environment: NodeJS.ProcessEnv,
  who: Answerer = {},
): boolean {
  return readOwnFile(answerFile(promptId, environment), MOST_BYTES).text === contentOf(answer, who);
}

function contentOf(answer: unknown, { by, channel }: Answerer): string {
  return JSON.stringify({ v: 1, answer, by, channel });
}

/**
 * Takes a prompt back, because somebody has answered elsewhere or nobody waits any more. No {@link waitForAnswer} may run
 * for it: that would take an answer, and this would not find it.
 *
 * @returns the answer of the monitor when that was faster: it counts.
 */
export async function closePrompt(
  promptId: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<unknown> {
  const content = JSON.stringify({ v: 1, closed: true });
  const isClosed = await createAnswer(promptId, content, environment).catch(() => true);
  return isClosed ? undefined : waitForAnswer(promptId, 0, environment, signal);
}

/** Of several writers exactly one succeeds. */
async function createAnswer(
  promptId: string,
  content: string,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const file = answerFile(promptId, environment);
  makePrivateFolder(join(file, ".."));
  return createAtomically(file, content);
}

/**
 * Waits for the answer to a prompt and removes it. `undefined` when nobody answered in this time, or when the signal is
 * aborted.
 */
export async function waitForAnswer(...waiting: Parameters<typeof waitForGivenAnswer>): Promise<unknown> {
  return (await waitForGivenAnswer(...waiting))?.answer;
}

/** The same, with the one who answered. */
export async function waitForGivenAnswer(
  promptId: string,
  milliseconds: number,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<GivenAnswer | undefined> {
  const file = answerFile(promptId, environment);
  // Not by the clock, which may be set meanwhile.
  const end = performance.now() + milliseconds;
  while (!signal.aborted) {
    if (existsSync(file)) {
      const { text = "" } = readOwnFile(file, MOST_BYTES);
      rmSync(file, { force: true });
      return answerIn(text);
    }
    const left = end - performance.now();
    if (left <= 0) break;
    await after(Math.min(PAUSE_MILLISECONDS, left), undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** True as soon as a hook has taken the answer to its prompt; false when none has in this time. */
export async function isTaken(
  promptId: string,
  milliseconds: number,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> {
  const file = answerFile(promptId, environment);
  const end = performance.now() + milliseconds;
  while (existsSync(file)) {
    if (signal.aborted || performance.now() > end) return false;
    await after(PAUSE_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
  return true;
}

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
  // What was left for an earlier process is not meant for this one.
  rmSync(answerFile(mailbox(session), environment), { force: true });
  while (!signal.aborted) {
    const given = await waitForAnswer(mailbox(session), Number.POSITIVE_INFINITY, environment, signal);
    if (typeof given === "string") await take(given);
  }
}

function mailbox(session: string): string {
  return `message-${quickFileName(session)}`;
}

/** Deletes answers that no hook has taken for a day. Never throws. */
export function tidyAnswers(environment: NodeJS.ProcessEnv): void {
  const now = Date.now();
  const folder = answersFolder(environment);
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      const { mtimeMs = now } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (now - mtimeMs > KEPT_MILLISECONDS) rmSync(file, { force: true });
    }
  } catch {
    // Another time.
  }
}

function answerFile(promptId: string, environment: NodeJS.ProcessEnv): string {
  return join(answersFolder(environment), `${promptId}.json`);
}

function answersFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "answers");
}

function answerIn(text: string): GivenAnswer | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value.v !== 1 || value.answer === undefined) return undefined;
  const { answer, by, channel } = value;
  return {
    answer,
    ...(typeof by === "string" ? { by } : {}),
    ...(typeof channel === "string" ? { channel } : {}),
  };
}
