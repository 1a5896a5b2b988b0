import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import type { Follower, OnNews, Queries } from "./queries.ts";

/** How late news is at most where LISTEN does not work, as behind some proxies. */
const POLL_MILLISECONDS = 5000;
const RECONNECT_MILLISECONDS = 1000;
/** A connection that leads nowhere does not say goodbye. */
const GOODBYE_MILLISECONDS = 1000;

/**
 * Tells every follower of a channel, when the transaction commits.
 *
 * @param text at most 8000 bytes: an id, not the thing itself.
 */
export async function tell(transaction: Queries, channel: string, text = ""): Promise<void> {
  await transaction.query("SELECT pg_notify($1, $2)", [channel, text]);
}

/** Listens on a connection of its own, and makes another whenever that breaks. Never rejects. */
export function followNews(newClient: () => Client, channel: string, onNews: OnNews): Follower {
  const closing = new AbortController();
  const { signal } = closing;
  const following = (async (): Promise<void> => {
    while (!signal.aborted) {
      await listen(newClient(), channel, onNews, signal).catch(() => undefined);
      if (!signal.aborted) onNews(undefined);
      await pause(RECONNECT_MILLISECONDS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async close() {
      closing.abort();
      await following;
    },
  };
}

/** Resolves or rejects when the connection is gone. */
async function listen(client: Client, channel: string, onNews: OnNews, signal: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const end = (): void => gone.abort();
  client.on("error", end);
  client.on("end", end);
  signal.addEventListener("abort", end, { once: true });
  client.on("notification", ({ payload }) => onNews(payload));
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    while (!gone.signal.aborted) {
      onNews(undefined);
      await pause(POLL_MILLISECONDS, undefined, { signal: gone.signal, ref: false }).catch(() => undefined);
      // Shows whether the connection still leads anywhere.
      if (!gone.signal.aborted) await client.query("SELECT 1");
    }
  } finally {
    signal.removeEventListener("abort", end);
    const goodbye = client.end().catch(() => undefined);
    await Promise.race([goodbye, pause(GOODBYE_MILLISECONDS)]);
  }
}
