import { existsSync, readdirSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { createAtomically } from "../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { stateFolder } from "../../node/user-folders.ts";

export interface Answerer {
  readonly by?: string;
  readonly channel?: string;
}

export interface GivenAnswer extends Answerer {
  readonly answer: unknown;
}

/** How often a hook looks for its answer. */
export const PAUSE_MILLISECONDS = 100;
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

/** What became of this answer: a hook has taken it, it is still to be taken, or the prompt has another one or none. */
export function fateOf(
  promptId: string,
  answer: unknown,
  environment: NodeJS.ProcessEnv,
  who: Answerer = {},
): "taken" | "written" | undefined {
  const content = contentOf(answer, who);
  const isIn = (file: string): boolean => readOwnFile(file, MOST_BYTES).text === content;
  // The taken one first: it was the other one a moment ago.
  if (isIn(takenFile(promptId, environment))) return "taken";
  if (isIn(answerFile(promptId, environment))) return "written";
  return isIn(takenFile(promptId, environment)) ? "taken" : undefined;
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
  return (await endPrompt(promptId, environment))
    ? undefined
    : waitForAnswer(promptId, 0, environment, signal);
}

/**
 * Ends a prompt: an answer that comes later finds it closed, and a hook that waits for one goes on. Never rejects.
 *
 * @returns false when it has an answer, which stays.
 */
export async function endPrompt(promptId: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  return createAnswer(promptId, JSON.stringify({ v: 1, closed: true }), environment).catch(() => true);
}

/** Of several writers exactly one succeeds. */
async function createAnswer(
  promptId: string,
  content: string,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const isOver = (): boolean => existsSync(takenFile(promptId, environment));
  if (isOver()) return false;
  const file = answerFile(promptId, environment);
  makePrivateFolder(join(file, ".."));
  if (!(await createAtomically(file, content))) return false;
  if (!isOver()) return true;
  // The hook has taken another writer's a moment ago: this one would be left for nobody.
  rmSync(file, { force: true });
  return false;
}

/**
 * Waits for the answer to a prompt and takes it. `undefined` when nobody answered in this time, or when the signal is
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
  // Not by the clock, which may be set meanwhile.
  const end = performance.now() + milliseconds;
  while (!signal.aborted) {
    const left = takeFor(promptId, environment);
    if (left !== undefined) return left === "closed" ? undefined : left;
    const rest = end - performance.now();
    if (rest <= 0) break;
    await after(Math.min(PAUSE_MILLISECONDS, rest), undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** True when something was left for a prompt that nobody has taken. */
function isLeft(promptId: string, environment: NodeJS.ProcessEnv): boolean {
  return existsSync(answerFile(promptId, environment));
}

/**
 * Takes what was left for a prompt: an answer, or that it was closed; `undefined` when there is nothing yet. What was taken stays
 * for a day, and shows the monitor that it was.
 */
export function takeFor(
  promptId: string,
  environment: NodeJS.ProcessEnv,
): GivenAnswer | "closed" | undefined {
  if (!isLeft(promptId, environment)) return undefined;
  const taken = takenFile(promptId, environment);
  try {
    // One of us gets it: a hook that takes it, or the monitor that takes it back.
    renameSync(answerFile(promptId, environment), taken);
  } catch {
    return undefined;
  }
  return answerIn(readOwnFile(taken, MOST_BYTES).text ?? "") ?? "closed";
}

/** When what was left for a prompt was taken; `undefined` when nobody has taken it. */
export function takenAt(promptId: string, environment: NodeJS.ProcessEnv): string | undefined {
  // Not the time of its content: it was moved when it was taken.
  const { ctime } = statSync(takenFile(promptId, environment), { throwIfNoEntry: false }) ?? {};
  return ctime?.toISOString();
}

/** Takes back an answer that nobody has taken. False when somebody has. */
export function withdrawAnswer(promptId: string, environment: NodeJS.ProcessEnv): boolean {
  try {
    unlinkSync(answerFile(promptId, environment));
    return true;
  } catch {
    return !existsSync(takenFile(promptId, environment));
  }
}

/** True as soon as a hook has taken the answer to its prompt; false when none has in this time. */
export async function isTaken(
  promptId: string,
  milliseconds: number,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> {
  // Looks are counted: when the machine has stood still, the hook has the rest of its time, too.
  for (let looks = milliseconds / PAUSE_MILLISECONDS; isLeft(promptId, environment); looks -= 1) {
    if (signal.aborted || looks <= 0) return false;
    await after(PAUSE_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
  return true;
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

export function answerFile(promptId: string, environment: NodeJS.ProcessEnv): string {
  return join(answersFolder(environment), `${promptId}.json`);
}

export function takenFile(promptId: string, environment: NodeJS.ProcessEnv): string {
  return join(answersFolder(environment), `${promptId}.taken`);
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
