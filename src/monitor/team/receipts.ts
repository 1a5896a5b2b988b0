import { isRecord } from "../../core/base/json.ts";
import {
  ANSWER_FATES,
  type HumanRequest,
  type MonitorStore,
  type Resolution,
} from "../../shared/monitor/monitor.ts";

export interface DecisionReceipt {
  readonly id: string;
  /** The machine whose agent asked, where it is not the one that says so. */
  readonly machine?: string;
  readonly state: Exclude<HumanRequest["state"], "open">;
  readonly resolved: Resolution;
}

/** What came of a decision; `undefined` while that is open, or nobody knows whether a hook takes the answer. */
export function receiptFor(decision: HumanRequest): DecisionReceipt | undefined {
  const { id, machine, state, prompt, resolved } = decision;
  if (state === "open" || resolved === undefined) return undefined;
  const of = { id, machine };
  if (isSettled(decision)) return { ...of, state, resolved };
  // The monitor will do it.
  const isCarriedOut = prompt === undefined && machine === undefined;
  return isCarriedOut ? { ...of, state, resolved: { ...resolved, fate: "taken" } } : undefined;
}

/** Of a decision that its machine does not have any more. */
export function goneReceipt(id: string, machine?: string): DecisionReceipt {
  const ending = { by: "Its machine does not ask it any more.", channel: "agent" };
  const resolved = { at: new Date().toISOString(), ...ending };
  return { id, machine, state: "dismissed", resolved };
}

/** Records what a machine says about its own decisions, as far as that is not known already. */
export async function takeReceipts(
  store: Pick<MonitorStore, "update">,
  machine: string,
  receipts: readonly unknown[],
): Promise<void> {
  const read = receipts.flatMap(readReceipt);
  if (read.length === 0) return;
  await store.update((tables) => {
    for (const { id, state, resolved } of read) {
      const decision = tables.decision(id);
      if (decision?.machine !== machine || isSettled(decision)) continue;
      tables.putDecision({ ...decision, state, resolved });
    }
  });
}

function isSettled({ state, resolved }: HumanRequest): boolean {
  return state !== "open" && (state !== "resolved" || resolved?.fate !== undefined);
}

const STATES = ["resolved", "superseded", "dismissed"] as const;
const LONGEST = 1000;

function readReceipt(value: unknown): readonly DecisionReceipt[] {
  if (!isRecord(value) || !isRecord(value.resolved)) return [];
  const { at, by, channel, answer, fate, given_at } = value.resolved;
  const state = STATES.find((one) => one === value.state);
  const [id, atText, byText, channelText] = [value.id, at, by, channel].map(textOf);
  if (state === undefined || id === undefined || atText === undefined) return [];
  if (byText === undefined || channelText === undefined) return [];
  const resolved: Resolution = {
    at: atText,
    by: byText,
    channel: channelText,
    answer,
    given_at: textOf(given_at),
    // Without a word about it nobody would know it to be over.
    ...(state === "resolved" ? { fate: ANSWER_FATES.find((one) => one === fate) ?? "late" } : {}),
  };
  return [{ id, state, resolved }];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= LONGEST ? value : undefined;
}
