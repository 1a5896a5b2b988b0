import { setTimeout as sleep } from "node:timers/promises";
import type { MonitorContext } from "../context.ts";
import type { Monitor } from "../monitor.ts";
import { failuresOnce } from "../tick.ts";
import { teamClient } from "./client.ts";
import { answersFor, eventsFor } from "./exchange.ts";
import { type Membership, membershipIn } from "./membership.ts";

export interface TeamStatus {
  readonly url: string;
  readonly machine: string;
  /** Why the team's monitor has not heard of this machine lately. */
  readonly problem?: string;
}

type Options = Pick<MonitorContext, "store" | "environment" | "onError"> & {
  readonly monitor: Pick<Monitor, "pass">;
};

const LOOK_MILLISECONDS = 1000;
const LONGEST_PAUSE_MILLISECONDS = 5000;
const WAIT_SECONDS = 25;

/**
 * Reports to the team's monitor that this machine has joined, as long as it has: sends what its own monitor has stored, and
 * gives the answers that come from there to the hooks that wait. While that monitor is away, nothing here changes.
 */
export function teamReporter(options: Options, milliseconds = LOOK_MILLISECONDS) {
  const { environment } = options;
  let session: ReturnType<typeof openSession> | undefined;
  const look = async (): Promise<void> => {
    const membership = membershipIn(environment);
    if (!isSame(session?.membership, membership)) {
      await session?.close();
      session = membership === undefined ? undefined : openSession(membership, options, milliseconds);
    }
    await session?.send();
  };
  return {
    look,
    /** `undefined` when this machine has not joined. */
    status: () => session?.status(),
    /** True when the team's monitor does not know everything yet. */
    hasUnsent: async () => (await session?.hasUnsent()) ?? false,
    /** Has the present look end soon. */
    stop: () => session?.stop(),
    close: async () => session?.close(),
  };
}

function isSame(one: Membership | undefined, other: Membership | undefined): boolean {
  return one?.joined_at === other?.joined_at && one?.url === other?.url && one?.token === other?.token;
}

function openSession(membership: Membership, options: Options, milliseconds: number) {
  const { store, monitor, onError } = options;
  const { url, machine } = membership;
  const client = teamClient(membership);
  const ending = new AbortController();
  const { signal } = ending;
  const failing = failuresOnce(onError);
  const fail = (error: unknown): void => {
    if (!signal.aborted) failing.fail(error);
  };
  const events = eventsFor({ store, client, mark: "team", since: membership.joined_at, signal, onError });
  let failures = 0;
  let notBefore = 0;
  const send = async (): Promise<void> => {
    if (performance.now() < notBefore) return;
    try {
      await events.send();
      failing.succeed();
      failures = 0;
    } catch (error) {
      fail(error);
      notBefore = performance.now() + pauseAfter(failures++, milliseconds);
    }
  };
  const listening = listen(answersFor({ store, monitor, client, signal }), milliseconds, fail, signal);
  return {
    membership,
    status: (): TeamStatus => ({ url, machine, problem: failing.problem() }),
    send,
    hasUnsent: events.areLeft,
    stop: () => ending.abort(),
    async close() {
      ending.abort();
      await listening;
      client.close();
    },
  };
}

async function listen(
  fetchAnswers: (waitSeconds: number) => Promise<{ readonly isSettled: boolean }>,
  milliseconds: number,
  fail: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const { isSettled } = await fetchAnswers(WAIT_SECONDS);
      failures = 0;
      // The server would say the same again at once.
      if (!isSettled) await sleep(milliseconds, undefined, { signal });
    } catch (error) {
      fail(error);
      await sleep(pauseAfter(failures++, milliseconds), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Twice as long after each failure, but never long. */
export function pauseAfter(failures: number, milliseconds: number): number {
  return Math.min(LONGEST_PAUSE_MILLISECONDS, milliseconds * 2 ** Math.min(failures, 10));
}
