import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import type { Monitor } from "../../../src/monitor/monitor.ts";
import {
  type Ask,
  type AskReply,
  askDaemon,
  askerOf,
  type GivenAnswer,
  readAsked,
  waitAtPrompt,
} from "../../../src/monitor/report/ask.ts";
import { daemonPlace } from "../../../src/monitor/report/daemon-place.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import type { MonitorEvent } from "../../../src/shared/monitor/events.ts";
import type { MonitorStore } from "../../../src/shared/monitor/monitor.ts";

/** What the hooks of tests show when they ask. */
export const KEY = "the key of a hook in a test";
/** The field of a prompt that such a hook reports. */
export const ASKER = { asker: askerOf(KEY) };

const NEVER = new AbortController().signal;
const HOUR = 3_600_000;

/** What a hook has reported; one of `worker` in session `s1` where only its id is known. */
type Prompt = Pick<MonitorEvent, "id"> & Partial<Pick<MonitorEvent, "agent_id" | "session_id">>;

/** The event with which a hook says that it has taken an answer. */
function taken({ id, agent_id, session_id }: Prompt, given: GivenAnswer) {
  const who =
    agent_id === undefined
      ? { agent_id: "worker", session_id: "s1" }
      : { agent_id, ...(session_id === undefined ? {} : { session_id }) };
  return { ...who, type: "agent:answer", prompt: id, ...given, given_at: new Date().toISOString() } as const;
}

interface Waits {
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

/** A hook in a process of its own, which asks the daemon; `undefined` when it has got no answer. */
export async function hookAt(
  prompt: Prompt,
  environment: NodeJS.ProcessEnv,
  { milliseconds = HOUR, signal = NEVER }: Waits = {},
): Promise<GivenAnswer | undefined> {
  const asked = { id: prompt.id, key: KEY, milliseconds: () => milliseconds };
  const waited = await waitAtPrompt(asked, askDaemon(environment), signal);
  if (!("given" in waited)) return undefined;
  appendToSpool(taken(prompt, waited.given), environment);
  return waited.given;
}

/** A hook in the monitor's own process. */
export async function hookIn(
  monitor: Pick<Monitor, "ask">,
  store: MonitorStore,
  prompt: Prompt,
  { milliseconds = HOUR, signal = NEVER }: Waits = {},
): Promise<GivenAnswer | undefined> {
  const asked = { id: prompt.id, key: KEY, milliseconds: () => milliseconds };
  const waited = await waitAtPrompt(asked, monitor.ask, signal);
  if (!("given" in waited)) return undefined;
  const event = { v: 1, id: `taken-${prompt.id}`, time: new Date().toISOString() } as const;
  await takeIn(store, [{ ...event, ...taken(prompt, waited.given) }]);
  return waited.given;
}

/** Answers hooks at a prompt as a monitor does that knows nothing else. */
export function desk() {
  const replies = new Map<string, AskReply>();
  const waiting = new Map<string, (reply: AskReply) => void>();
  const end = (id: string, reply: AskReply): void => {
    replies.set(id, reply);
    waiting.get(id)?.(reply);
  };
  const ask: Ask = ({ id, isOver }, signal) => {
    if (isOver === true && !replies.has(id)) end(id, { end: "time" });
    const known = replies.get(id);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  return {
    ask,
    end,
    /** False when the prompt has an answer, or nobody waits for one any more. */
    answer(id: string, answer: unknown): boolean {
      if (replies.has(id)) return false;
      end(id, { given: { answer } });
      return true;
    },
  };
}

/** The same at the address of a user's daemon, until the test ends. */
export async function deskOf(environment: NodeJS.ProcessEnv) {
  const { ask, ...more } = desk();
  const { folder, socket } = daemonPlace(environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const asked = readAsked(await json(request));
    if (asked === undefined) return response.destroy();
    const reply = await ask(asked, gone.signal).catch(() => undefined);
    return response.end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return more;
}
