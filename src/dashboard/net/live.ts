import { useEffect, useState } from "preact/hooks";
import type { Ability, Overview } from "../../monitor/dashboard/wire.ts";
import { ask } from "./ask.ts";
import { authorization, forgetToken, hasToken, keepToken, shareToken } from "./token.ts";

/** `lost`: the connection is being made again. `out`: nobody has logged in, or the login has ended. */
export type Connection = "connecting" | "connected" | "lost" | "out";

export interface Live {
  readonly connection: Connection;
  /** What was said last. */
  readonly overview: Overview | undefined;
  /** Why the link did not log in. */
  readonly refusal: string | undefined;
}

const [FIRST_PAUSE, LONGEST_PAUSE] = [300, 4000];

let now: Live = { connection: "connecting", overview: undefined, refusal: undefined };
const listeners = new Set<(live: Live) => void>();

function set(next: Partial<Live>): void {
  now = { ...now, ...next };
  for (const listener of listeners) listener(now);
}

/** Logs in by the link that has opened this page, or as it or another tab has before; then follows the server. */
export async function connect(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("login");
  if (code !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    await ask<{ token: string }>("login", { code }).then(
      ({ token }) => keepToken(token),
      ({ message }: Error) => set({ refusal: message }),
    );
  }
  await shareToken(() => void follow());
  void follow();
}

/** @throws what the server says about this token. */
export async function logIn(token: string): Promise<void> {
  keepToken(token);
  try {
    await ask("overview");
  } catch (error) {
    forgetToken();
    throw error;
  }
  void follow();
}

/** Follows the server until the login ends, over restarts of the server. */
async function follow(): Promise<void> {
  let pause = FIRST_PAUSE;
  set({ connection: "connecting" });
  while (hasToken()) {
    try {
      const { status, body } = await fetch(new URL("api/news", document.baseURI), {
        headers: authorization(),
      });
      if (status === 401) forgetToken();
      else if (status === 200 && body !== null)
        for await (const overview of overviews(body)) {
          pause = FIRST_PAUSE;
          set({ connection: "connected", overview });
        }
    } catch {
      // The server is away.
    }
    if (!hasToken()) break;
    set({ connection: "lost" });
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 1.6, LONGEST_PAUSE);
  }
  set({ connection: "out" });
}

/** Reads server-sent events. EventSource can't send a token. */
async function* overviews(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Overview> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = `${rest}${value}`.split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const [, data] = /^event: overview\ndata: (.*)$/.exec(message) ?? [];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
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
