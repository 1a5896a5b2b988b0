import type { SessionFile } from "../../../../know/replay/find-sessions.ts";
import type { Progress } from "../../../../know/replay/replay.ts";
import type { Replay } from "../../../../know/replay/tally.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";

const WIDTH = 48;
const STEP_MILLISECONDS = 100;
const CLEAR_LINE = "\r\u001b[K";

/** On a terminal, shows how far a replay is, how fast it goes and how long it will take. */
export function progressBar(
  { interactive, quiet, write, width, paint }: Screen,
  json: boolean,
  files: readonly SessionFile[],
): { show(progress: Progress): void; end(found: Replay, isCut: boolean): void } {
  if (!interactive || quiet === true || json) return { show: () => {}, end: () => {} };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const started = performance.now();
  let last = 0;
  let share = 0;
  const bar = (): string => {
    const room = Math.max(10, Math.min(WIDTH, width - 44));
    const full = Math.round(room * Math.min(1, share));
    return `${"█".repeat(full)}${paint.dim("░".repeat(room - full))}`;
  };
  return {
    show({ bytes, events }) {
      const now = performance.now();
      if (now - last < STEP_MILLISECONDS) return;
      last = now;
      const seconds = (now - started) / 1000;
      share = total === 0 ? 1 : bytes / total;
      const left = share > 0.01 ? `  ${((seconds / share) * (1 - share)).toFixed(0)} s left` : "";
      const rate = `${Math.round(events / seconds).toLocaleString("en")}/s`;
      write(`${CLEAR_LINE}  ${bar()}  ${events.toLocaleString("en")} calls  ${rate}${left}`);
    },
    end({ events }, isCut) {
      if (!isCut) share = 1;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      write(`${CLEAR_LINE}  ${bar()}  ${events.toLocaleString("en")} calls   ${seconds} s\n\n`);
    },
  };
}
