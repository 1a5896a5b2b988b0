import { capText } from "../../core/base/text.ts";
import { createRedactor } from "../../node/records/redact.ts";
import { harmlessLine } from "../../shared/harmless.ts";
import type { ChannelType, NotifyTarget } from "../../shared/monitor/channels.ts";
import type { Delivery } from "../../shared/monitor/delivery.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { MonitorContext } from "../context.ts";
import { takeAnswer, takePresence } from "./answer.ts";
import type { Channel, ChannelPorts } from "./channel.ts";
import { channelOpener } from "./channels.ts";
import { deliverer } from "./deliver.ts";
import { noticesOf } from "./message.ts";
import { monitorVariables } from "./variables.ts";

/** What a person is told about an answer; every service takes that much. */
const MOST_REPLY = 1000;

export interface ChannelStatus {
  readonly channel: ChannelType;
  readonly problem?: string;
  /** True while it has not been reached for the first time. */
  readonly unheard?: true;
}

/** Tells people about decisions and takes their answers. No channel waits for another, and no agent for any. */
export interface Notifier {
  /** Makes sure that somebody is notified of a decision, also after a restart. */
  plan(decision: HumanRequest): Promise<void>;
  listen(targets: readonly NotifyTarget[]): void;
  /** Sends what is due. Resolves when every channel has begun; never rejects. */
  work(): Promise<void>;
  channels(): readonly ChannelStatus[];
  close(): Promise<void>;
}

type NotifierOptions = Pick<MonitorContext, "store" | "monitor" | "environment" | "log"> & {
  readonly secret: string;
  /** Who is to be notified of a decision now. */
  readonly targetsFor: (decision: HumanRequest) => Promise<readonly NotifyTarget[]>;
};

export function createNotifier({
  store,
  monitor,
  environment: given,
  secret,
  log,
  targetsFor,
}: NotifierOptions): Notifier {
  const { variables, problem: unread } = monitorVariables(given);
  if (unread !== undefined) log(unread);
  const environment = { ...given, ...variables };
  const closing = new AbortController();
  const { signal } = closing;
  const redactor = createRedactor(environment);
  const problems = new Map<string, string>();
  const heard = new Set<string>();
  const ports: ChannelPorts = {
    environment,
    secret,
    log,
    async answer(answer) {
      const decision = await store.update((tables) => tables.decision(answer.decision));
      const targets = decision === undefined ? [] : await targetsFor(decision);
      // Who was asked may have been removed from the configuration since.
      if (!targets.some((target) => open(target).key === answer.channel.key))
        return { text: "You are not asked any more.", taken: false };
      const { text, taken } =
        (await takePresence(answer.text, given)) ?? (await takeAnswer(store, monitor, answer));
      // It may name an agent or an option, which are no words of ours.
      return { text: capText(harmlessLine(redactor.text(text)), MOST_REPLY), taken };
    },
    presence: (text) => takePresence(text, given),
    find: (channel, ref) => store.findDelivery(channel, ref),
    mark: (name) => store.update((tables) => tables.mark(name)),
    putMark: (name, value) => store.update((tables) => tables.putMark(name, value)),
    report(channel, problem) {
      heard.add(channel);
      if (problem === undefined) problems.delete(channel);
      else problems.set(channel, problem);
    },
  };
  const open = channelOpener(ports);
  const channels = new Map<string, Channel>();
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

  const advance = deliverer({ store, monitor, redactor, ports, signal });

  const workOff = async (channel: Channel, rows: readonly Delivery[]): Promise<void> => {
    for (const row of rows) {
      const now = Date.now();
      if (signal.aborted || (pausedUntil.get(channel.key) ?? 0) > now) return;
      if (Date.parse(row.not_before ?? "") > now) continue;
      const pause = await advance(channel, row);
      if (pause !== undefined) pausedUntil.set(channel.key, Date.now() + pause);
    }
  };

  /** What can be done at the same time: each channel, and each decision of one that says so. */
  const lanesOf = ({ key, parallel }: Channel, pending: readonly Delivery[]) => {
    const lanes = new Map<string, Delivery[]>();
    for (const row of pending.filter(({ channel }) => channel === key)) {
      const lane = parallel === true ? `${key} ${row.decision}` : key;
      lanes.set(lane, [...(lanes.get(lane) ?? []), row]);
    }
    return lanes;
  };

  return {
    async plan(decision) {
      const all = (await targetsFor(decision)).map(opened);
      await store.update((tables) => {
        const known = tables.deliveries(decision.id);
        for (const { key, ...channel } of all)
          for (const [part, { question }] of noticesOf(decision, redactor, channel).entries()) {
            if (known.some((row) => row.channel === key && row.part === part)) continue;
            const about = { decision: decision.id, channel: key, part, question };
            tables.putDelivery({ ...about, state: "due", attempts: 0 });
          }
      });
    },
    listen(targets) {
      for (const target of targets) opened(target);
    },
    async work() {
      const pending = await store.pendingDeliveries();
      for (const channel of channels.values()) {
        if (channel.problem !== undefined) continue;
        for (const [lane, rows] of lanesOf(channel, pending)) {
          if (busy.has(lane)) continue;
          const run = workOff(channel, rows)
            .catch((error: unknown) => log(`${channel.type}: ${String(error)}`))
            .finally(() => busy.delete(lane));
          busy.set(lane, run);
        }
      }
    },
    channels: () =>
      [...channels.values()].map(({ key, type, listen }) => {
        const isUnheard = listen !== undefined && !heard.has(key);
        const unheard = isUnheard ? { unheard: true as const } : {};
        return { channel: type, problem: problems.get(key), ...unheard };
      }),
    async close() {
      closing.abort();
      await Promise.all([...busy.values(), ...listening]);
    },
  };
}
