import { TenterhookError } from "../../core/base/errors.ts";
import type { HumanRequest, MonitorStore } from "../../shared/monitor/monitor.ts";
import { type AskedPrompt, type AskReply, askerOf } from "../report/ask.ts";
import { AT_TERMINAL } from "../report/endings.ts";
import { writtenAnswer } from "./resolve.ts";

/** Looks whether the answer to its prompt is there, or ends. */
interface Waiter {
  readonly key: string;
  look(): void;
  end(how: AskReply | Error): void;
}

interface KnownPrompt {
  readonly decision: HumanRequest;
  readonly host: string | undefined;
}

export interface SessionMessage {
  readonly session_id: string;
  readonly message: string;
}

/** Those who wait in the monitor: hooks for answers, and people for what becomes of theirs. What they wait for is in the store. */
export function promptWaiters(store: MonitorStore, takenMilliseconds: number) {
  const waiting = new Map<string, Set<Waiter>>();
  const watchers = new Set<(decision: HumanRequest) => void>();
  store.watch((decision) => {
    for (const watcher of [...watchers]) watcher(decision);
    for (const waiter of [...(waiting.get(decision.prompt ?? "") ?? [])]) waiter.look();
  });

  /** @throws TenterhookError `not_allowed` when the prompt is another one's. */
  const find = ({ id, key }: AskedPrompt): Promise<KnownPrompt | undefined> =>
    store.update((tables) => {
      const asked = tables.event(id);
      if (asked !== undefined && asked.asker !== askerOf(key)) throw NOT_ITS_OWN;
      const decision = asked && tables.decisionOf(id);
      return decision && { decision, host: tables.agent(decision.agent_id)?.host };
    });

  const replyTo = async (asked: AskedPrompt): Promise<AskReply | undefined> => {
    const { decision } = (await find(asked)) ?? {};
    return decision && replyOf(decision);
  };

  const hold = (asked: AskedPrompt, signal: AbortSignal): Promise<AskReply> =>
    new Promise((resolve, reject) => {
      const mine = waiting.get(asked.id) ?? new Set();
      const waiter: Waiter = {
        key: asked.key,
        look: () =>
          void replyTo(asked).then((reply) => {
            if (reply !== undefined) waiter.end(reply);
          }, waiter.end),
        end(how) {
          if (!mine.delete(waiter)) return;
          if (mine.size === 0) waiting.delete(asked.id);
          signal.removeEventListener("abort", onAbort);
          if (how instanceof Error) reject(how);
          else resolve(how);
        },
      };
      const onAbort = (): void => waiter.end(new Error("Nobody waits any more.", { cause: signal.reason }));
      waiting.set(asked.id, mine.add(waiter));
      signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
      else waiter.look();
    });

  return {
    /** An answer that was given before is given again: who asks a second time has lost the connection. */
    async ask(asked: AskedPrompt, signal: AbortSignal): Promise<AskReply> {
      if (asked.isOver !== true) return hold(asked, signal);
      const reply = (await replyTo(asked)) ?? { end: "time" };
      for (const waiter of [...(waiting.get(asked.id) ?? [])])
        if (waiter.key === asked.key) waiter.end(reply);
      return reply;
    },
    /** The open decision of a process that has gone without a word; `undefined` when it waits, or its agent says itself what ends. */
    async left(asked: AskedPrompt): Promise<HumanRequest | undefined> {
      const { decision, host } = (await find(asked)) ?? {};
      const isLeft = decision?.state === "open" && host !== "tenterhook" && !waiting.has(asked.id);
      return isLeft ? decision : undefined;
    },
    /** Gives a message to the session that waits for one in its turn. False when it does not. */
    async passMessage({ session_id, message }: SessionMessage): Promise<boolean> {
      const events = await store.update((tables) => [...waiting.keys()].map((id) => tables.event(id)));
      const turn = events.find((event) => event?.type === "agent:turn" && event.session_id === session_id);
      const waiter = [...(waiting.get(turn?.id ?? "") ?? [])].find(({ key }) => askerOf(key) === turn?.asker);
      waiter?.end({ given: { answer: message } });
      return waiter !== undefined;
    },
    /** Resolves with a decision when its hook was given the answer, or none was in this time. */
    async settled(decision: HumanRequest): Promise<HumanRequest> {
      // The daemon of another machine has to ask for it first.
      const most = takenMilliseconds + (decision.machine === undefined ? 0 : REMOTE_MILLISECONDS);
      let watcher = (_: HumanRequest): void => undefined;
      const end = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, most);
        watcher = (one) => {
          if (one.id !== decision.id || !isSettled(one)) return;
          clearTimeout(timer);
          resolve();
        };
      });
      watchers.add(watcher);
      const now = () => store.update((tables) => tables.decision(decision.id) ?? decision);
      watcher(await now());
      await end;
      watchers.delete(watcher);
      return now();
    },
    /** Records what became of answers that no hook was given, once none waits for them. */
    async settle(): Promise<void> {
      for (const { id, machine } of await store.undelivered())
        if (machine === undefined)
          await store.update((tables) => {
            const decision = tables.decision(id);
            const agent = decision && tables.agent(decision.agent_id);
            const { prompt, waits_until, resolved } = decision ?? {};
            if (decision === undefined || resolved === undefined || isSettled(decision)) return;
            const isOver =
              (waits_until !== undefined && waits_until <= new Date().toISOString()) ||
              agent?.state === "exited" ||
              agent?.state === "gone";
            if (isOver) tables.putDecision({ ...decision, resolved: { ...resolved, fate: "late" } });
            else if (agent?.held?.some((one) => one.id === prompt) !== true)
              tables.putDecision({
                ...decision,
                state: "dismissed",
                resolved: { at: resolved.at, ...AT_TERMINAL },
              });
          });
    },
    /** Lets everybody go: who waits asks the next daemon. */
    close(): void {
      for (const mine of [...waiting.values()]) for (const waiter of [...mine]) waiter.end(CLOSING);
    },
  };
}

/** How much longer a person waits for a hook of another machine, whose daemon brings it the answer. */
const REMOTE_MILLISECONDS = 1000;

const NOT_ITS_OWN = new TenterhookError("not_allowed", "Another process asked this.");
const CLOSING = new TenterhookError("monitor_unreachable", "The monitor's daemon ends.");

function isSettled({ state, resolved }: HumanRequest): boolean {
  return state !== "resolved" || resolved?.fate !== undefined;
}

/** What the one who asked is told; `undefined` while the decision is open. */
function replyOf({ state, resolved, questions }: HumanRequest): AskReply | undefined {
  if (state === "open") return undefined;
  if (state !== "resolved" || resolved === undefined) return { end: "closed" };
  const { by, channel, at, fate, given_at } = resolved;
  // It came too late, or was not given here.
  if (fate !== undefined && given_at === undefined) return { end: "closed" };
  return {
    given: { answer: writtenAnswer(questions, resolved.answer), by, channel, at },
  };
}
