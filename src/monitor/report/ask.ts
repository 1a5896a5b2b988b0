import { setTimeout as after } from "node:timers/promises";
import { ignore } from "../../core/base/error-text.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { builtin } from "../../node/builtin.ts";
import { raceAbort, startDeadline } from "../../node/process/deadline.ts";
import { daemonPlace } from "./daemon-place.ts";
import { requestDaemon } from "./daemon-request.ts";

export interface Answerer {
  readonly by?: string;
  readonly channel?: string;
}

export interface GivenAnswer extends Answerer {
  readonly answer: unknown;
  /** When it was given. */
  readonly at?: string;
  /** How long its hook has waited for it, in milliseconds. */
  readonly asked_ms?: number;
}

/** A prompt that was reported, by the one who waits for its answer. */
export interface AskedPrompt {
  readonly id: string;
  /** What `asker` of the report is the digest of: nobody else is told the answer. */
  readonly key: string;
  /** True at the end of the wait: the monitor says at once whether it has an answer, and lets go who still waits. */
  readonly isOver?: boolean;
}

/** Reads the body of such a request; `undefined` for anything else. */
export function readAsked(body: unknown): AskedPrompt | undefined {
  if (!isRecord(body) || typeof body.id !== "string" || typeof body.key !== "string") return undefined;
  return { id: body.id, key: body.key, isOver: body.isOver === true };
}

/** `closed`: no answer is needed any more, since the agent's user was faster at the terminal, for example. */
export type AskReply = { readonly given: GivenAnswer } | { readonly end: "closed" | "time" };

/** Asks the monitor for the answer to a prompt, and waits until there is one. Rejects when the monitor can't say, and by the signal. */
export type Ask = (asked: AskedPrompt, signal: AbortSignal) => Promise<AskReply>;

/** Asks the daemon in its own process: the open connection is the wait. */
export function askDaemon(environment: NodeJS.ProcessEnv): Ask {
  const place = daemonPlace(environment);
  return async (asked, signal) =>
    JSON.parse(await requestDaemon(place, { method: "POST", path: "/v1/ask", body: asked, signal }));
}

export const newAskKey = (): string => builtin.crypto.randomBytes(16).toString("hex");

/** The field of a report that says who asks for the answer to it. */
export function askerOf(key: string): string {
  return BigInt(`0x${builtin.crypto.createHash("sha256").update(key).digest("hex")}`).toString(36);
}

/** How often a monitor that is not there is asked again, and how often the time that is left is looked up. */
const LOOK_MILLISECONDS = 1000;
/** How long the monitor has to say whether an answer came in the last moment. */
const LAST_MILLISECONDS = 5000;

export interface WaitedPrompt extends AskedPrompt {
  /** How long it may wait in all. Asked again and again: its user may go away meanwhile, or come back. */
  readonly milliseconds: () => number;
}

/** How a wait ended. `time`: nobody answered. `aborted`: by the signal. */
export type WaitEnd = AskReply | { readonly end: "aborted" };

/** Waits for a human's answer to a prompt. A monitor that ends meanwhile is asked again. Never rejects. */
export async function waitAtPrompt(
  { milliseconds, ...asked }: WaitedPrompt,
  ask: Ask,
  signal: AbortSignal,
): Promise<WaitEnd> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const held = askAgain(asked, ask, until);
  const time = timePassed(milliseconds, until);
  ignore(held);
  ignore(time);
  try {
    const first = await Promise.race([held, time]);
    // The wait goes on meanwhile: its end would say that the hook has ended.
    const end = first ?? (await lastReply(asked, ask, signal));
    return signal.aborted ? { end: "aborted" } : end;
  } catch {
    return { end: "aborted" };
  } finally {
    over.abort();
  }
}

/** Ends the wait for an answer. Says whether one was faster. Never rejects. */
export async function lastReply(asked: AskedPrompt, ask: Ask, signal: AbortSignal): Promise<AskReply> {
  const soon = startDeadline(signal, LAST_MILLISECONDS);
  try {
    return await raceAbort(ask({ ...asked, isOver: true }, soon.signal), soon.signal);
  } catch {
    return { end: "time" };
  } finally {
    soon.end();
  }
}

async function askAgain(asked: AskedPrompt, ask: Ask, signal: AbortSignal): Promise<AskReply> {
  for (;;) {
    try {
      return await ask(asked, signal);
    } catch (error) {
      if (isTenterhookError(error) && error.code === "not_allowed") return { end: "closed" };
    }
    await after(LOOK_MILLISECONDS, undefined, { signal });
  }
}

/** Resolves when the time is over: by the clock, as others see it, and never later than it takes to pass. */
async function timePassed(milliseconds: () => number, signal: AbortSignal): Promise<undefined> {
  const [began, clock] = [performance.now(), Date.now()];
  for (;;) {
    const rest = milliseconds() - Math.max(performance.now() - began, Date.now() - clock);
    if (rest <= 0) return;
    await after(Math.min(LOOK_MILLISECONDS, rest), undefined, { signal });
  }
}
