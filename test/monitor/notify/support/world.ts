import { onTestFinished } from "vitest";
import { decisionLook } from "../../../../src/monitor/daemon/decision-look.ts";
import { takeIn } from "../../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../../src/monitor/monitor.ts";
import { createNotifier } from "../../../../src/monitor/notify/notifier.ts";
import { startTick } from "../../../../src/monitor/tick.ts";
import type { MonitorEvent } from "../../../../src/shared/monitor/events.ts";
import type { HumanRequest } from "../../../../src/shared/monitor/monitor.ts";
import type { MonitorSettings } from "../../../../src/shared/monitor/settings.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { monitorEvent } from "../../support/events.ts";
import { openStore } from "../../support/open-store.ts";
import { ASKER, hookIn } from "../../support/waiting-hook.ts";

let count = 0;

/** A prompt of `worker` that a hook waits for. */
export function held(prompt_type: string, question: unknown, fields: object = {}): MonitorEvent {
  count += 1;
  const waits = { waits_until: new Date(Date.now() + 60_000).toISOString(), ...ASKER };
  const isHeld = !("waits_until" in fields) || fields.waits_until !== undefined;
  return monitorEvent("agent:prompt", {
    id: `mh3k9zq1abcdefgh12345-${count}`,
    time: new Date().toISOString(),
    agent_id: `worker-${count}`,
    session_id: undefined,
    cwd: "/home/ann/shop",
    ...{ prompt_type, question, ...(isHeld ? waits : {}), ...fields },
  });
}

/** A trigger that asks a human about an agent. */
export function escalation(trigger: string): MonitorEvent {
  const { id, time, agent_id, cwd } = held("", "");
  const about = { id, time, agent_id, cwd, session_id: "s1" };
  return monitorEvent("agent:action", { ...about, trigger, action: "escalate" });
}

/** A monitor with these settings, and its decisions. `restart` begins again with the same store. */
export async function monitored(
  settings: MonitorSettings,
  variables: NodeJS.ProcessEnv = {},
  store = undefined as Awaited<ReturnType<typeof openStore>> | undefined,
) {
  const environment = {
    XDG_STATE_HOME: temporaryFolder(),
    HOME: temporaryFolder(),
    PATH: process.env.PATH,
    ...variables,
  };
  const opened = store ?? (await openStore());
  const log: string[] = [];
  let present = settings;
  const start = () => {
    // The hook is in this process, too: it looks as often.
    const monitor = createMonitor(opened, 300);
    const notifier = createNotifier({
      store: opened,
      monitor,
      environment,
      secret: "secret of this machine",
      log: (line) => log.push(line),
      targetsFor: async () => present.notify ?? [],
    });
    const onError = (error: unknown): void => void log.push(String(error));
    const settingsFor = async (): Promise<MonitorSettings> => present;
    const context = { store: opened, monitor, settingsFor, environment, onError };
    const ticking = decisionLook(context, notifier).then((look) => startTick([[look]], onError, 20));
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closed ??= ticking.then((tick) => tick.close()).then(notifier.close);
      return closed;
    };
    onTestFinished(close);
    return { monitor, notifier, close };
  };
  const first = start();
  return {
    ...first,
    start,
    /** From now on, the configuration says this. */
    configure: (next: MonitorSettings): void => {
      present = next;
    },
    store: opened,
    environment,
    log,
    take: (...events: readonly MonitorEvent[]) => takeIn(opened, events),
    decision: (id: string): Promise<HumanRequest | undefined> =>
      opened.update((tables) => tables.decision(id)),
    /** What the hook that waits is given. */
    answerTo: async (asked: MonitorEvent) => (await hookIn(first.monitor, opened, asked))?.answer,
  };
}
