import { useEffect, useState } from "preact/hooks";
import type { Ability, Overview } from "../../monitor/dashboard/wire.ts";

/** `lost`: the connection is being made again. `out`: the login has ended. */
export type Connection = "connecting" | "connected" | "lost" | "out";

export interface Live {
  readonly connection: Connection;
  /** What was said last. */
  readonly overview: Overview | undefined;
}

const [FIRST_PAUSE, LONGEST_PAUSE] = [300, 4000];

let now: Live = { connection: "connecting", overview: undefined };
const listeners = new Set<(live: Live) => void>();

function set(next: Partial<Live>): void {
  now = { ...now, ...next };
  for (const listener of listeners) listener(now);
}

/** Follows the server for as long as the page is open, over its restarts. */
export function follow(pause = FIRST_PAUSE): void {
  const source = new EventSource(new URL("api/news", document.baseURI));
  let next = pause;
  source.addEventListener("overview", ({ data }) => {
    next = FIRST_PAUSE;
    set({ connection: "connected", overview: JSON.parse(data) });
  });
  source.addEventListener("error", () => {
    source.close();
    set({ connection: "lost" });
    void again(next);
  });
}

async function again(pause: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pause));
  const status = await fetch(new URL("api/overview", document.baseURI)).then(
    (reply) => reply.status,
    () => 0,
  );
  if (status === 401) return set({ connection: "out" });
  if (status === 0) return again(Math.min(pause * 1.6, LONGEST_PAUSE));
  follow(pause);
}

/** True when the page's login allows this. False until the server has said what it allows. */
export function useMay(ability: Ability): boolean {
  return useLive().overview?.may.includes(ability) === true;
}

export function useLive(): Live {
  const [live, change] = useState(now);
  useEffect(() => {
    listeners.add(change);
    change(now);
    return () => void listeners.delete(change);
  }, []);
  return live;
}
