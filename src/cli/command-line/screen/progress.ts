import { cut } from "../../../terminal/layout.ts";
import type { Screen } from "./screen.ts";

/** What takes less time needs no word. */
const PATIENCE_MILLISECONDS = 400;
const STEP_MILLISECONDS = 120;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** On a terminal, says what is waited for, and for how long, until the function that it returns is called. */
export function progress({ interactive, quiet, write, width, paint }: Screen, text: string): () => void {
  if (!interactive || quiet === true) return () => {};
  const started = Date.now();
  let frame = 0;
  const draw = (): void => {
    const seconds = Math.floor((Date.now() - started) / 1000);
    const age = seconds === 0 ? "" : `  ${seconds} s`;
    const mark = paint.blue(FRAMES[frame % FRAMES.length] ?? "");
    write(`\r\u001b[K  ${mark} ${cut(text, width - 12)}${paint.dim(age)}`);
    frame += 1;
  };
  let steps: NodeJS.Timeout | undefined;
  const patience = setTimeout(() => {
    draw();
    steps = setInterval(draw, STEP_MILLISECONDS);
  }, PATIENCE_MILLISECONDS);
  return () => {
    clearTimeout(patience);
    clearInterval(steps);
    if (frame > 0) write("\r\u001b[K");
    frame = 0;
  };
}
