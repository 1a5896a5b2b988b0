import { render } from "ink";
import { cellLines } from "../cells/draw/cell-lines.ts";
import { assumeSize, fullScreen } from "../ink/full-screen.ts";
import type { Paint } from "../paint.ts";
import { Chat } from "./chat.tsx";
import { approvalText } from "./draw/bottom.ts";
import { isApart } from "./draw/live.ts";
import { Pager } from "./pager.tsx";
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
