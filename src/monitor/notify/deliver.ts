import { sameJson } from "../../core/base/json.ts";
import type { Redactor } from "../../node/records/redact.ts";
import { backoff } from "../../node/retry.ts";
import type { Delivery } from "../../shared/monitor/delivery.ts";
import type { HumanRequest, MonitorStore } from "../../shared/monitor/monitor.ts";
import { withAgentNames } from "../agent-name.ts";
import type { Choice } from "../decisions/resolve.ts";
import type { Monitor } from "../monitor.ts";
import { isRefusal } from "./answer.ts";
import { type Channel, type ChannelPorts, DeliveryError, type Notice, type Sent } from "./channel.ts";
import { noticesOf } from "./message.ts";

const FIRST_PAUSE = 1000;
const MOST_PAUSE = 300_000;
/** More than three hours. */
const MOST_ATTEMPTS = 50;

interface Tools {
  readonly store: MonitorStore;
  readonly monitor: Pick<Monitor, "resolve">;
  readonly redactor: Redactor;
  readonly ports: Pick<ChannelPorts, "report" | "log">;
  readonly signal: AbortSignal;
}

/**
 * Does what is due of a message, and remembers it before and after, so that a killed daemon goes on where it stood.
 * Returns how many milliseconds the channel wants to be left alone.
 */
export function deliverer({ store, monitor, redactor, ports, signal }: Tools) {
  const put = (delivery: Delivery): Promise<void> => store.update((tables) => tables.putDelivery(delivery));

  const send = async (channel: Channel, notice: Notice, row: Delivery): Promise<void> => {
    const known = channel.ref?.(notice);
    const sending = { ...row, state: "sending", ...(known === undefined ? {} : { ref: known }) } as const;
    await put(sending);
    const { ref = known, answer } = await sentOnce(channel, notice, row, signal);
    // A message that counts as sent is not sent again: its answer would be lost.
    if (answer !== undefined) await take(channel, notice, answer);
    const state = channel.close === undefined ? "done" : "sent";
    await put({ ...sending, state, attempts: 0, ...(ref === undefined ? {} : { ref }) });
  };

  const take = async ({ type }: Channel, { decision }: Notice, answer: Choice): Promise<void> => {
    try {
      await monitor.resolve(decision.id, answer, { by: type, channel: type });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      ports.log(`${type}: its answer was not taken: ${error.message}`);
    }
  };

  const close = async (channel: Channel, notice: Notice, row: Delivery): Promise<void> => {
    if (row.state === "sent") await channel.close?.(notice, row.ref, signal);
    await store.update((tables) => {
      // More may have become of it meanwhile.
      const isTold = sameJson(toldOf(tables.decision(row.decision)), toldOf(notice.decision));
      tables.putDelivery({ ...row, state: isTold ? "done" : "sent" });
    });
  };

  const failed = async (channel: Channel, row: Delivery, error: DeliveryError): Promise<void> => {
    ports.report(channel.key, error.message);
    const isFinal = error.final || row.attempts >= MOST_ATTEMPTS;
    if (isFinal || row.attempts === 1)
      ports.log(`${channel.type}: ${error.message}${isFinal ? " It is not tried again." : ""}`);
    const pause = error.pause ?? Math.min(backoff(row.attempts - 1, FIRST_PAUSE), MOST_PAUSE);
    const not_before = new Date(Date.now() + pause).toISOString();
    await put(isFinal ? { ...row, state: "failed" } : { ...row, not_before });
  };

  return async (channel: Channel, before: Delivery): Promise<number | undefined> => {
    const stored = await store.update((tables) => tables.decision(before.decision));
    const [decision] = withAgentNames(stored === undefined ? [] : [stored], await store.agents());
    const notice = decision && noticesOf(decision, redactor, channel)[before.part];
    if (notice === undefined) return void (await put({ ...before, state: "done" }));
    const { state, at_terminal } = notice.decision;
    const isAsked = state === "open" && (at_terminal !== true || before.state !== "sent");
    if (before.state === "sent" && (isAsked || isUnderWay(notice.decision))) return undefined;
    const row = { ...before, attempts: before.attempts + 1 };
    try {
      await (isAsked ? send(channel, notice, row) : close(channel, notice, row));
      ports.report(channel.key, undefined);
      return undefined;
    } catch (error) {
      // What was under way stays uncertain.
      if (signal.aborted) return undefined;
      const failure = error instanceof DeliveryError ? error : new DeliveryError(String(error));
      await failed(channel, row, failure);
      return failure.pause;
    }
  };
}

/** What a message says about a decision that takes no answer here any more. */
function toldOf(decision: HumanRequest | undefined): readonly unknown[] {
  return [decision?.state ?? "", decision?.at_terminal ?? false, decision?.resolved?.fate ?? ""];
}

/** True until a hook was given the answer or its wait is over. */
function isUnderWay({ state, prompt, resolved }: HumanRequest): boolean {
  return state === "resolved" && prompt !== undefined && resolved?.fate === undefined;
}

/** Sends a message unless an earlier attempt, whose end nobody saw, has sent it. */
async function sentOnce(
  channel: Channel,
  notice: Notice,
  { attempts }: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  const found = attempts === 1 ? undefined : await channel.find?.(notice, signal).catch(() => undefined);
  return found ?? channel.send(notice, signal);
}
