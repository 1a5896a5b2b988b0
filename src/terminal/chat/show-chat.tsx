import { render, Text, useApp, useInput } from "ink";
import { useState } from "react";
import { cellLines, isApart } from "../cells/draw/cell-lines.ts";
import { assumeSize, fullScreen } from "../ink/full-screen.ts";
import { useScreenSize } from "../ink/screen-size.ts";
import { type Key, readKeys, stepsOf } from "../input/key.ts";
import { fittedLine } from "../layout.ts";
import type { Paint } from "../paint.ts";
import { Chat } from "./chat.tsx";
import { approvalText } from "./draw/bottom.ts";
import type { Watched } from "./watched.ts";

/** Pastes come marked as such. */
const [PASTES, NO_PASTES] = ["\u001b[?2004h", "\u001b[?2004l"];

export interface ShowChatOptions {
  readonly paint: Paint;
  readonly signal: AbortSignal;
}

/** Shows an agent until the user leaves, or its run is over. What is finished stays on the terminal. */
export async function showChat(chat: Watched, { paint, signal }: ShowChatOptions): Promise<void> {
  const { stdout } = process;
  assumeSize(stdout);
  // A run that is watched ends by itself.
  const leave = (): void => void (chat.state.watches || chat.leave());
  signal.addEventListener("abort", leave, { once: true });
  const restore = (): void => void stdout.write(`${NO_PASTES}\u001b[?25h`);
  process.once("exit", restore);
  let printed = 0;
  try {
    for (;;) {
      const next = await shown(chat, { paint, printed });
      if (next.hasLeft) return;
      ({ printed } = next);
      await fullScreen(<Pager linesFor={(width) => allLines(chat, width, paint)} paint={paint} />, signal);
    }
  } finally {
    signal.removeEventListener("abort", leave);
    process.off("exit", restore);
    restore();
  }
}

/** Shows the conversation until the user leaves, or wants to see all of it. */
async function shown(
  chat: Watched,
  { paint, printed }: { readonly paint: Paint; readonly printed: number },
): Promise<{ readonly hasLeft: boolean; readonly printed: number }> {
  process.stdout.write(PASTES);
  let showAll = (): void => undefined;
  const wantsAll = new Promise<boolean>((resolve) => {
    showAll = () => resolve(false);
  });
  const node = (hidden: boolean) => (
    <Chat chat={chat} paint={paint} printed={printed} hidden={hidden} onShowAll={() => showAll()} />
  );
  const app = render(node(false), { exitOnCtrlC: false, patchConsole: false });
  const hasLeft = await Promise.race([chat.left.then(() => true), wantsAll]);
  app.rerender(node(true));
  app.unmount();
  const { length } = chat.state.cells.done;
  await app.waitUntilExit();
  return { hasLeft, printed: length };
}

/** Everything unfolded. */
function allLines(chat: Watched, width: number, paint: Paint): readonly string[] {
  const { cells, dialogs } = chat.state;
  const options = { width, paint, now: chat.now(), folder: chat.folder, whole: true };
  const all = [...cells.done, ...cells.live];
  const lines = all.flatMap((cell, at) => [
    ...(isApart(all[at - 1], cell) ? [""] : []),
    ...cellLines(cell, options),
  ]);
  const asked = dialogs.flatMap((dialog) =>
    dialog.type === "approval" ? ["", ...approvalText(dialog, chat.folder).map((line) => `  ${line}`)] : [],
  );
  return [...lines, ...asked];
}

/** Lines to scroll through, from their end. */
function Pager({
  linesFor,
  paint,
}: {
  readonly linesFor: (width: number) => readonly string[];
  readonly paint: Paint;
}) {
  const { exit } = useApp();
  const { width, height } = useScreenSize();
  const [below, setBelow] = useState(0);
  const [kept, keep] = useState<{ readonly width: number; readonly lines: readonly string[] }>();
  const lines = kept?.width === width ? kept.lines : linesFor(width);
  if (kept?.width !== width) keep({ width, lines });
  const room = Math.max(1, height - 2);
  const most = Math.max(0, lines.length - room);
  useInput((input, inkKey) => {
    for (const key of readKeys(input, inkKey)) {
      if (leaves(key)) return exit();
      const steps = stepsOf(key, room - 1) ?? 0;
      setBelow((now) => Math.max(0, Math.min(most, now - steps)));
    }
  });
  const end = lines.length - Math.min(below, most);
  const shown = lines.slice(Math.max(0, end - room), end).map((line) => fittedLine(line, width));
  const place = lines.length <= room ? "all" : `line ${end} of ${lines.length}`;
  const foot = paint.dim(`  ↑↓ PgUp PgDn g G scroll   q back   ${place}`);
  return <Text wrap="truncate-end">{[...shown, foot].join("\n")}</Text>;
}

function leaves({ name, text, ctrl }: Key): boolean {
  return name === "escape" || text === "q" || (ctrl === true && (text === "o" || text === "c"));
}
