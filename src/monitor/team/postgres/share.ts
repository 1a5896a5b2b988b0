import { setTimeout as sleep } from "node:timers/promises";
import { TenterhookError } from "../../../core/base/errors.ts";
import type { DatabaseAddress } from "../../../node/postgres/address.ts";
import { openPostgres, type Postgres } from "../../../node/postgres/open-postgres.ts";
import type { MonitorStore } from "../../../shared/monitor/monitor.ts";
import type { Monitor } from "../../monitor.ts";
import { failuresOnce } from "../../tick.ts";
import { passedAnswer } from "../client.ts";
import { answersFor, eventsFor } from "../exchange.ts";
import { machineId, ownName } from "../membership.ts";
import { pauseAfter } from "../reporter.ts";
import { type HeardMachines, SILENT_MILLISECONDS } from "../silence.ts";
import type { Machine, Tokens } from "../tokens.ts";
import { mirror } from "./mirror.ts";
import { CHANNEL, MONITOR } from "./schema.ts";
import { type SharedLog, sharedLog } from "./shared-log.ts";

/** What a daemon says about the database that it shares with other machines. */
export interface SharingStatus {
  /** The address without a password. */
  readonly place: string;
  readonly machine?: string;
  /** Why the others have not heard of this machine lately. */
  readonly problem?: string;
}

export interface Sharing {
  status(): SharingStatus;
  /** True when the others do not know everything yet. */
  hasUnsent(): Promise<boolean>;
  /**
   * The name of a machine that joins this one: the others know it by it.
   *
   * @throws TenterhookError `monitor_unreachable` while the database is away.
   */
  nameFor(machine: Machine): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  readonly store: MonitorStore;
  readonly monitor: Pick<Monitor, "pass">;
  /** The machines that report to this one. */
  readonly tokens: Pick<Tokens, "machines" | "rename">;
  readonly heard: HeardMachines;
  readonly address: DatabaseAddress;
  readonly environment: NodeJS.ProcessEnv;
  readonly onError: (error: unknown) => void;
  readonly milliseconds?: number | undefined;
  /** Default: the name of this machine. */
  readonly name?: string | undefined;
}

const LOOK_MILLISECONDS = 1000;
/** The next look tries again. */
const PATIENCE_MILLISECONDS = 2000;
/** How long a silent connection can delay the exchange with other machines. */
const ANSWER_MILLISECONDS = 10_000;
const HEARD_MILLISECONDS = 20_000;
const FORGET_MILLISECONDS = 60 * 60 * 1000;

/**
 * Shares what this machine's monitor knows with the monitors of other machines, through one database: each adds its own
 * events to a log, and takes those of the others into its own store. While the database is away, nothing here changes.
 */
export function startSharing(options: Options): Sharing {
  const { address, onError, milliseconds = LOOK_MILLISECONDS } = options;
  const ending = new AbortController();
  const { signal } = ending;
  let opening: Promise<Shared> | undefined;
  let shared: Shared | undefined;
  const { fail, succeed, problem } = failuresOnce(onError);
  let wake = new AbortController();
  const onNews = (): void => wake.abort();
  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      wake = new AbortController();
      try {
        if (shared === undefined) {
          opening = openShared(options, onNews, signal);
          shared = await opening;
        }
        await shared.look();
        succeed();
        failures = 0;
      } catch (error) {
        if (!signal.aborted) fail(error);
        failures += 1;
      }
      const ends = AbortSignal.any([signal, wake.signal]);
      await sleep(pauseAfter(failures, milliseconds), undefined, { signal: ends }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    status: () => ({
      place: address.place,
      machine: shared?.machine,
      problem: problem(),
    }),
    hasUnsent: async () => (await shared?.hasUnsent()) ?? false,
    async nameFor(machine) {
      // A machine may join while the database is being opened.
      const opened = await opening?.catch(() => undefined);
      if (opened !== undefined) return opened.nameFor(machine);
      const why = problem() === undefined ? "" : `: ${problem()}`;
      const message = `The monitors' database at ${address.place} is away${why}`;
      throw new TenterhookError("monitor_unreachable", message, { hint: "Join again when it is back." });
    },
    async close() {
      ending.abort();
      await running;
      await shared?.close();
    },
  };
}

interface Shared extends Pick<Sharing, "hasUnsent" | "nameFor"> {
  readonly machine: string;
  look(): Promise<void>;
  close(): Promise<void>;
}

async function openShared(options: Options, onNews: () => void, signal: AbortSignal): Promise<Shared> {
  const { store, monitor, tokens, heard, address, environment, onError, name = ownName() } = options;
  const database = await openPostgres([MONITOR], {
    address,
    patienceMilliseconds: PATIENCE_MILLISECONDS,
    answerMilliseconds: ANSWER_MILLISECONDS,
    connections: 2,
  });
  try {
    return await shareThrough(database);
  } catch (error) {
    await database.close();
    throw error;
  }

  async function shareThrough(opened: Postgres): Promise<Shared> {
    const log = sharedLog(opened);
    const id = await machineId(environment);
    const { name: machine, since } = await log.claim({ name, id });
    const client = {
      send: (events: Parameters<typeof log.send>[1]) => log.send(machine, events),
      receipts: (receipts: Parameters<typeof log.sendReceipts>[1]) => log.sendReceipts(machine, receipts),
      answers: async () => ({
        answers: (await log.answersFor([machine])).map(({ answer }) => answer),
        open: [],
      }),
    };
    const joined = async () => new Set((await tokens.machines()).map((one) => one.name));
    const nameFor = async (one: Machine): Promise<string> => (await log.claim(joining(one))).name;
    for (const one of await tokens.machines()) {
      const known = await nameFor(one);
      if (known !== one.name) await tokens.rename(one, known);
    }
    const events = eventsFor({ store, client, mark: "database", since, joined, signal, onError });
    const fetchAnswers = answersFor({ store, monitor, client, signal });
    const fetchForJoined = answersForJoined(store, log);
    const others = mirror({ store, log, machine, since, onError });
    const often = every(HEARD_MILLISECONDS, async () => {
      const latest = Date.now() - SILENT_MILLISECONDS;
      const present = [...(await joined())].filter((one) => heard.heardAt(one) > latest);
      for (const [one, seconds] of await log.heard([machine, ...present]))
        heard.hear(one, Date.now() - seconds * 1000);
    });
    const seldom = every(FORGET_MILLISECONDS, () => log.forget());
    const given = new Set<string>();
    const follower = opened.follow(CHANNEL, onNews);
    return {
      machine,
      async look() {
        await events.send();
        await others.read();
        for (const decision of await store.answered()) {
          const answer = given.has(decision.id) ? undefined : passedAnswer(decision);
          if (answer === undefined) continue;
          await log.giveAnswer(decision.machine ?? "", answer);
          given.add(decision.id);
        }
        await fetchAnswers(0);
        await fetchForJoined([...(await joined())]);
        await often();
        await seldom();
      },
      hasUnsent: events.areLeft,
      nameFor,
      async close() {
        await follower.close();
        await opened.close();
      },
    };
  }
}

/** A machine chooses its own id; with this prefix it can't claim that of a machine on the database. */
function joining({ name, id }: Machine): Machine {
  return { name, id: `joined:${id}` };
}

/** Does something at the first call, and then at calls that come so much later. */
function every(milliseconds: number, work: () => Promise<void>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - last < milliseconds) return;
    await work();
    last = performance.now();
  };
}

/** Takes answers that were given on other machines of the database, for machines that fetch theirs here. */
function answersForJoined(store: Pick<MonitorStore, "update">, log: Pick<SharedLog, "answersFor">) {
  return async (machines: readonly string[]): Promise<void> => {
    if (machines.length === 0) return;
    const given = await log.answersFor(machines);
    if (given.length === 0) return;
    await store.update((tables) => {
      for (const { machine, answer: passed } of given) {
        const decision = tables.decision(passed.id);
        if (decision?.machine !== machine || decision.state !== "open") continue;
        if (decision.call_digest !== passed.call) continue;
        const { answer, by, channel } = passed;
        const resolved = { at: new Date().toISOString(), by, channel, answer };
        tables.putDecision({ ...decision, state: "resolved", resolved });
      }
    });
  };
}
