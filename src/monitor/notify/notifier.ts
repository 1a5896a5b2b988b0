import type { Delivery, HumanDecision, MonitorStore } from "../../core/contracts/monitor.ts";
import type { ChannelType, NotifyTarget } from "../../core/monitor/channels.ts";
import { createRedactor } from "../../node/records/redact.ts";
import { backoff } from "../../node/retry.ts";
import type { Monitor } from "../monitor.ts";
import { takeAnswer } from "./answer.ts";
import { type Channel, type ChannelPorts, DeliveryError, type Notice, type Sent } from "./channel.ts";
import { channelOpener } from "./channels.ts";
import { noticesOf } from "./message.ts";

const FIRST_PAUSE = 1000;
const MOST_PAUSE = 300_000;
/** More than three hours. */
const MOST_ATTEMPTS = 50;

/** A channel, and what keeps it from working. */
export interface ChannelStatus {
  readonly channel: ChannelType;
  readonly problem?: string;
}

/** Tells people about decisions and takes their answers. No channel waits for another, and no agent for any. */
export interface Notifier {
  /** Makes sure that somebody is told about a decision, also after a restart. */
  plan(decision: HumanDecision, targets: readonly NotifyTarget[]): Promise<void>;
  /** Takes answers on these channels. */
  listen(targets: readonly NotifyTarget[]): void;
  /** Sends what is due. Resolves when every channel has begun; never rejects. */
  work(): Promise<void>;
  channels(): readonly ChannelStatus[];
  close(): Promise<void>;
}

export interface NotifierOptions {
  readonly store: MonitorStore;
  readonly monitor: Monitor;
  readonly environment: NodeJS.ProcessEnv;
  readonly secret: string;
  readonly log: (line: string) => void;
}

export function createNotifier({ store, monitor, environment, secret, log }: NotifierOptions): Notifier {
  const closing = new AbortController();
  const { signal } = closing;
  const redactor = createRedactor(environment);
  const problems = new Map<string, string>();
  const ports: ChannelPorts = {
    environment,
    secret,
    log,
    answer: (said) => takeAnswer(store, monitor, said),
    find: (channel, ref) => store.findDelivery(channel, ref),
    mark: (name) => store.update((tables) => tables.mark(name)),
    putMark: (name, value) => store.update((tables) => tables.putMark(name, value)),
    report(channel, problem) {
      if (problem === undefined) problems.delete(channel);
      else problems.set(channel, problem);
    },
  };
  const open = channelOpener(ports);
  const channels = new Map<string, Channel>();
  /** What goes on, by channel: a channel does one thing at a time. */
  const busy = new Map<string, Promise<void>>();
  const listening: Promise<void>[] = [];
  const pausedUntil = new Map<string, number>();

  const opened = (target: NotifyTarget): Channel => {
    const channel = open(target);
    if (channels.has(channel.key)) return channel;
    channels.set(channel.key, channel);
    if (channel.problem === undefined) listening.push(channel.listen?.(signal) ?? Promise.resolve());
    else {
      ports.report(channel.key, channel.problem);
      log(`${channel.type}: ${channel.problem}`);
    }
    return channel;
  };

  const put = (delivery: Delivery): Promise<void> => store.update((tables) => tables.putDelivery(delivery));

  /** Does what is due of a message, and remembers it before and after. */
  const advance = async (channel: Channel, row: Delivery): Promise<void> => {
    const decision = await store.update((tables) => tables.decision(row.decision));
    const notice = decision === undefined ? undefined : noticesOf(decision, redactor, channel)[row.part];
    if (decision === undefined || notice === undefined) return put({ ...row, state: "done" });
    const isOpen = decision.state === "open";
    if (row.state === "sent" && isOpen) return;
    const due = { ...row, attempts: row.attempts + 1 };
    try {
      if (isOpen) {
        await put({ ...due, state: "sending" });
        const sent = await sentOnce(channel, notice, row, signal);
        const next = channel.close === undefined && sent.ref === undefined ? "done" : "sent";
        await put({ ...row, state: next, attempts: 0, ...(sent.ref === undefined ? {} : { ref: sent.ref }) });
        if (sent.answer !== undefined)
          await monitor.resolve(decision.id, sent.answer, { by: channel.type, channel: channel.type });
      } else {
        if (row.state === "sent") await channel.close?.(notice, row.ref, signal);
        await put({ ...row, state: "done" });
      }
      ports.report(channel.key, undefined);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DeliveryError)) {
        log(`${channel.type}: ${String(error)}`);
        return;
      }
      await failed(channel, due, error, isOpen);
    }
  };

  const failed = async (
    channel: Channel,
    row: Delivery,
    error: DeliveryError,
    isOpen: boolean,
  ): Promise<void> => {
    ports.report(channel.key, error.message);
    const isFinal = error.final || row.attempts >= MOST_ATTEMPTS;
    if (isFinal || row.attempts === 1)
      log(`${channel.type}: ${error.message}${isFinal ? " It is not tried again." : ""}`);
    const pause = error.pause ?? Math.min(backoff(row.attempts - 1, FIRST_PAUSE), MOST_PAUSE);
    if (error.pause !== undefined) pausedUntil.set(channel.key, Date.now() + error.pause);
    const not_before = new Date(Date.now() + pause).toISOString();
    const state = isOpen ? "due" : row.state;
    await put(isFinal ? { ...row, state: "failed" } : { ...row, state, not_before });
  };

  const workOff = async (channel: Channel, rows: readonly Delivery[]): Promise<void> => {
    for (const row of rows) {
      const now = Date.now();
      if (signal.aborted || (pausedUntil.get(channel.key) ?? 0) > now) return;
      if (Date.parse(row.not_before ?? "") > now) continue;
      await advance(channel, row);
    }
  };

  return {
    async plan(decision, targets) {
      const all = targets.map(opened);
      await store.update((tables) => {
        const known = tables.deliveries(decision.id);
        for (const { key, ...channel } of all)
          for (const [part, { question }] of noticesOf(decision, redactor, channel).entries()) {
            if (known.some((row) => row.channel === key && row.part === part)) continue;
            tables.putDelivery({
              decision: decision.id,
              channel: key,
              part,
              question,
              state: "due",
              attempts: 0,
            });
          }
      });
    },
    listen(targets) {
      for (const target of targets) opened(target);
    },
    async work() {
      const pending = await store.pendingDeliveries();
      for (const [key, channel] of channels) {
        const rows = pending.filter((row) => row.channel === key);
        if (channel.problem !== undefined || rows.length === 0 || busy.has(key)) continue;
        const run = workOff(channel, rows)
          .catch((error: unknown) => log(`${channel.type}: ${String(error)}`))
          .finally(() => busy.delete(key));
        busy.set(key, run);
      }
    },
    channels: () =>
      [...channels.values()].map(({ key, type }) => {
        const problem = problems.get(key);
        return { channel: type, ...(problem === undefined ? {} : { problem }) };
      }),
    async close() {
      closing.abort();
      await Promise.all([...busy.values(), ...listening]);
    },
  };
}

/** Sends a message unless an earlier attempt, whose end nobody saw, has sent it. */
async function sentOnce(
  channel: Channel,
  notice: Notice,
  { attempts }: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  const found = attempts === 0 ? undefined : await channel.find?.(notice, signal).catch(() => undefined);
  return found ?? channel.send(notice, signal);
}
