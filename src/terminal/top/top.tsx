import { Text, useApp, useInput } from "ink";
import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../core/base/error-text.ts";
import { fullScreen } from "../ink/full-screen.ts";
import { useScreenSize } from "../ink/screen-size.ts";
import { readKeys } from "../input/key.ts";
import type { Paint } from "../paint.ts";
import { drawFrame } from "./draw/frame.ts";
import type { TopPort } from "./port.ts";
import { pressed } from "./press.ts";
import {
  answered,
  type Effect,
  FIRST_STATE,
  looked,
  lookFailed,
  type TopState,
  timelineRead,
} from "./state.ts";

const LOOK_MILLISECONDS = 1000;

/** All agents on one screen. */
function Top({ port, paint }: { readonly port: TopPort; readonly paint: Paint }) {
  const { exit } = useApp();
  const { width, height } = useScreenSize();
  const { state, change } = useTopState();
  // The last line stays free: what fills the screen to its end makes Ink clear it each time.
  const size = { width, height: Math.max(1, height - 1) };
  const { lines, drawn } = drawFrame(state(), size, paint, port.now());
  const lookNow = usePolling(port, change, state);
  const carryOut = useCallback(
    (effect: Effect): void => {
      if (effect.type === "quit") exit();
      else if (effect.type === "interrupt") process.emit("SIGINT");
      else if (effect.type === "open") void readTimeline(port, effect.seen.agent.agent_id, change, state);
      else
        void port.answer(effect.request, effect.given, effect.message).then(
          (result) => {
            change((now) => answered(now, effect, result));
            lookNow();
          },
          (error: unknown) => change((now) => ({ ...now, notice: errorMessage(error) })),
        );
    },
    [port, change, state, exit, lookNow],
  );
  useInput((input, inkKey) => {
    for (const key of readKeys(input, inkKey)) {
      const next = pressed(state(), key, drawn, port.now());
      change(() => next.state);
      if (next.effect !== undefined) carryOut(next.effect);
    }
  });
  return <Text wrap="truncate-end">{lines.join("\n")}</Text>;
}

type Change = (step: (state: TopState) => TopState) => void;

/** The state, which keys may change several times before the screen is drawn again. */
function useTopState(): { readonly state: () => TopState; readonly change: Change } {
  const latest = useRef<TopState>(FIRST_STATE);
  const [, draw] = useState(0);
  const change = useCallback<Change>((step) => {
    latest.current = step(latest.current);
    draw((count) => count + 1);
  }, []);
  const state = useCallback(() => latest.current, []);
  return { state, change };
}

/**
 * Looks again and again; also at what an opened agent does.
 *
 * @returns looks at once.
 */
function usePolling(port: TopPort, change: Change, state: () => TopState): () => void {
  const timer = useRef<NodeJS.Timeout>(undefined);
  const last = useRef(0);
  const look = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    last.current += 1;
    const current = last.current;
    try {
      const seen = await port.look();
      // A later look counts, or the screen is gone.
      if (last.current !== current) return;
      change((now) => looked(now, seen, port.now()));
      const { opened } = state();
      if (opened !== undefined) await readTimeline(port, opened.agent_id, change, state);
    } catch (error) {
      if (last.current === current) change((now) => lookFailed(now, errorMessage(error)));
    }
    if (last.current === current) timer.current = setTimeout(look, LOOK_MILLISECONDS);
  }, [port, change, state]);
  useEffect(() => {
    void look();
    return () => {
      clearTimeout(timer.current);
      last.current += 1;
    };
  }, [look]);
  return useCallback(() => void look(), [look]);
}

async function readTimeline(
  port: TopPort,
  agent_id: string,
  change: Change,
  state: () => TopState,
): Promise<void> {
  const seen = state().agents?.find(({ agent }) => agent.agent_id === agent_id);
  if (seen === undefined) return;
  const entries = await port.timeline(seen.agent).catch(() => undefined);
  if (entries !== undefined) change((now) => timelineRead(now, agent_id, entries));
}

/** Shows all agents on a screen of its own until the user leaves. */
export function showTop(port: TopPort, paint: Paint, signal: AbortSignal): Promise<void> {
  return fullScreen(<Top port={port} paint={paint} />, signal);
}
