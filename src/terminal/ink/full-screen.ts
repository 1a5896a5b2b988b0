import { render } from "ink";
import type { ReactNode } from "react";

/** A screen of its own, with clicks and the wheel reported as SGR sequences; and back. */
const [ENTER, LEAVE] = [
  "\u001b[?1049h\u001b[H\u001b[?1000h\u001b[?1006h",
  "\u001b[?1006l\u001b[?1000l\u001b[?25h\u001b[?1049l",
];
const CLEAR = "\u001b[2J\u001b[H";

/** Shows something on a screen of its own until it exits or the signal aborts. The terminal is then as it was before. */
export async function fullScreen(node: ReactNode, signal: AbortSignal): Promise<void> {
  const { stdout } = process;
  assumeSize(stdout);
  const restore = (): void => void stdout.write(LEAVE);
  // A command that does not end in time is ended without its `finally`.
  process.once("exit", restore);
  stdout.write(ENTER);
  let { columns } = stdout;
  // Lines that are now too long take two lines each, which Ink does not know of.
  const narrowed = (): void => {
    if (stdout.columns < columns) stdout.write(CLEAR);
    ({ columns } = stdout);
  };
  stdout.prependListener("resize", narrowed);
  const app = render(node, { exitOnCtrlC: false, patchConsole: false });
  const leave = (): void => app.unmount();
  signal.addEventListener("abort", leave, { once: true });
  try {
    if (signal.aborted) leave();
    await app.waitUntilExit();
  } finally {
    signal.removeEventListener("abort", leave);
    stdout.off("resize", narrowed);
    process.off("exit", restore);
    restore();
  }
}

/** A terminal that does not know its size says 0, and Ink then draws nothing. */
export function assumeSize(stdout: NodeJS.WriteStream): void {
  stdout.columns ||= 80;
  stdout.rows ||= 24;
}
