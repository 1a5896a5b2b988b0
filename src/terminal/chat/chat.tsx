import { Box, Static, Text, useInput } from "ink";
import { useEffect, useState, useSyncExternalStore } from "react";
import { cellLines, isApart, liveLines } from "../cells/draw/cell-lines.ts";
import { useScreenSize } from "../ink/screen-size.ts";
import { keyReader } from "../input/key.ts";
import { fittedLine } from "../layout.ts";
import type { Paint } from "../paint.ts";
import { bottomLines } from "./draw/bottom.ts";
import { pressChat } from "./press.ts";
import type { Watched } from "./watched.ts";

const TICK_MILLISECONDS = 1000;

export interface ChatProps {
  readonly chat: Watched;
  readonly paint: Paint;
  /** How many cells are on the terminal already. */
  readonly printed: number;
  /** True when only what is finished may be left on the terminal. */
  readonly hidden: boolean;
  /** Shows everything unfolded on a screen of its own. */
  readonly onShowAll: () => void;
}

/** The conversation: finished cells are written once, and scroll away as on any terminal; the rest is drawn below them. */
export function Chat({ chat, paint, printed, hidden, onShowAll }: ChatProps) {
  const { width, height } = useScreenSize();
  const state = useSyncExternalStore(
    (listener) => chat.listen(listener),
    () => chat.state,
  );
  const [read] = useState(keyReader);
  useTicks(state.busySince !== undefined || state.dialogs.length > 0);
  useInput((input, inkKey) => {
    for (const key of read(input, inkKey)) {
      const { state: next, effect } = pressChat(chat.state, key);
      chat.change(() => next);
      if (effect?.type === "show_all") onShowAll();
      else if (effect !== undefined) chat.carryOut(effect);
    }
  });
  const { folder } = chat;
  const now = chat.now();
  const options = { width, paint, now, folder };
  const { done } = state.cells;
  const bottom = bottomLines(state, { ...options, height });
  // What is higher than the screen makes Ink write everything again.
  const room = Math.max(0, height - bottom.length - 2);
  const live = liveLines(state.cells, options).slice(room === 0 ? Number.POSITIVE_INFINITY : -room);
  const lines = [...live, ...bottom].slice(-Math.max(1, height - 1)).map((line) => fittedLine(line, width));
  return (
    <>
      <Static items={done.slice(printed)}>
        {(cell, index) => {
          const apart = isApart(done[printed + index - 1], cell) ? "\n" : "";
          return (
            <Box key={printed + index}>
              <Text>{`${apart}${cellLines(cell, options).join("\n")}`}</Text>
            </Box>
          );
        }}
      </Static>
      {hidden ? null : <Text wrap="truncate-end">{lines.join("\n")}</Text>}
    </>
  );
}

/** Draws again every second while a time is on the screen. */
function useTicks(isNeeded: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isNeeded]);
}
