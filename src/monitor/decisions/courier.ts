import { setTimeout as sleep } from "node:timers/promises";
import { withoutUndefined } from "../../core/base/json.ts";
import type { HumanRequest, MonitorStore, MonitorTables, Resolution } from "../../shared/monitor/monitor.ts";
import {
  fateOf,
  isTaken,
  PAUSE_MILLISECONDS,
  takenAt,
  withdrawAnswer,
  writeAnswer,
} from "../report/answers.ts";
import { AT_TERMINAL, NOBODY } from "../report/endings.ts";

/** A hook looks for its answer much more often. When none waits, the person who answered waits this long. */
export const TAKEN_MILLISECONDS = 3000;
/** A hook of another machine, whose daemon brings it the answer, has so much more time. */
const REMOTE_MILLISECONDS = 1000;

interface Options {
  readonly store: MonitorStore;
  readonly environment: NodeJS.ProcessEnv;
  readonly onError: (error: unknown) => void;
  readonly takenMilliseconds: number;
  /** Called in the transaction that records that a hook has taken the answer. */
  readonly onTaken: (decision: HumanRequest, tables: MonitorTables) => void;
}

/** Brings answers to the hooks that wait for them, and records which of them were taken. */
export function answerCourier({ store, environment, onError, takenMilliseconds, onTaken }: Options) {
  /** Answers of which nobody knows yet whether a hook takes them. */
  const underWay = new Set<string>();
  const never = new AbortController().signal;

  /** Records how it ended, unless that is known already. */
  const settle = (
    id: string,
    end: (decision: HumanRequest & Required<Pick<HumanRequest, "resolved">>) => HumanRequest,
  ): Promise<HumanRequest> => {
    underWay.delete(id);
    return store.update((tables) => {
      const decision = tables.decision(id);
      if (decision === undefined) throw new Error(`The decision ${id} is gone.`);
      const { state, resolved } = decision;
      if (state !== "resolved" || resolved === undefined || resolved.delivered !== undefined) return decision;
      const next = end({ ...decision, resolved });
      tables.putDecision(next);
      if (next.resolved?.delivered === true) onTaken(next, tables);
      return next;
    });
  };
  const taken = (id: string, delivered: boolean) =>
    settle(id, (decision) => {
      const taken_at = delivered ? takenAt(decision.prompt ?? "", environment) : undefined;
      return {
        ...decision,
        resolved: { ...decision.resolved, delivered, ...withoutUndefined({ taken_at }) },
      };
    });

  const dismissed = (id: string, ending: Pick<Resolution, "by" | "channel">) =>
    settle(id, ({ resolved: { at }, ...rest }) => ({
      ...rest,
      state: "dismissed",
      resolved: { at, ...ending },
    }));

  /** Writes the answer down for the hook, and waits a moment for it to be taken. */
  const give = async (decision: HumanRequest, milliseconds: number): Promise<HumanRequest> => {
    const { id, prompt, questions, resolved, waits_until = "" } = decision;
    if (prompt === undefined || resolved === undefined) return decision;
    const answer = writtenAnswer(questions, resolved);
    const fate = () => fateOf(prompt, answer, environment, resolved);
    const isThere = fate() !== undefined || (await writeAnswer(prompt, answer, environment, resolved));
    // The hook has closed its prompt; it reports why.
    if (!isThere && fate() === undefined)
      return dismissed(id, waits_until <= resolved.at ? NOBODY : AT_TERMINAL);
    const isGone = await isTaken(prompt, milliseconds, environment, never);
    return isGone ? taken(id, fate() === "taken") : decision;
  };

  /** The same for an answer that was given before: it is taken back once nobody can take it. */
  const look = async (id: string): Promise<void> => {
    const [decision, agent] = await store.update((tables) => {
      const known = tables.decision(id);
      return [known, known && tables.agent(known.agent_id)];
    });
    const { prompt, waits_until = "", resolved, state } = decision ?? {};
    if (decision === undefined || prompt === undefined || resolved?.delivered !== undefined)
      return void underWay.delete(id);
    if (state !== "resolved") {
      withdrawAnswer(prompt, environment);
      return void underWay.delete(id);
    }
    const isOver = waits_until <= new Date().toISOString();
    const hasEnded = agent?.state === "exited" || agent?.state === "gone";
    const isHeld = agent?.held?.some((one) => one.id === prompt) === true;
    if (!isOver && !hasEnded && isHeld) return void (await give(decision, 0));
    const isWithdrawn = withdrawAnswer(prompt, environment);
    if (isWithdrawn && !isOver && !hasEnded) return void (await dismissed(id, AT_TERMINAL));
    // Somebody may have closed the prompt, or answered it in another way.
    const answer = resolved && writtenAnswer(decision.questions, resolved);
    await taken(id, !isWithdrawn && fateOf(prompt, answer, environment, resolved) === "taken");
  };

  /** Waits a moment for another machine's daemon to say what came of the answer. */
  const remote = async (decision: HumanRequest): Promise<HumanRequest> => {
    // Counted, as the looks for an answer of this machine.
    for (let looks = (takenMilliseconds + REMOTE_MILLISECONDS) / PAUSE_MILLISECONDS; ; looks -= 1) {
      const { id } = decision;
      const now = (await store.decisionsLike(id)).find((one) => one.id === id) ?? decision;
      const isSettled = now.state !== "resolved" || now.resolved?.delivered !== undefined;
      if (isSettled || looks <= 0) return now;
      await sleep(PAUSE_MILLISECONDS);
    }
  };

  const redeliver = async (): Promise<void> => {
    for (const id of underWay) await look(id).catch(onError);
  };

  return {
    /** Gives an answer. Resolves with the decision as it is then: `delivered` is absent while no hook has taken the answer. */
    async deliver(decision: HumanRequest): Promise<HumanRequest> {
      if (decision.machine !== undefined) return remote(decision);
      underWay.add(decision.id);
      return give(decision, takenMilliseconds).catch((error: unknown) => {
        onError(error);
        return decision;
      });
    },
    /** Finds answers that a daemon was killed before giving, or before it knew. */
    async recover(): Promise<void> {
      for (const { id, machine } of await store.undelivered()) if (machine === undefined) underWay.add(id);
      await redeliver();
    },
    redeliver,
  };
}

/** An answer as it is written down for the hook. */
function writtenAnswer(questions: HumanRequest["questions"], { answer }: Resolution): unknown {
  // They were read already: a label such as "3" is no number of an option.
  return questions === undefined ? answer : [answer].flat().map((label: unknown) => ({ label }));
}
