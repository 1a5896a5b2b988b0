import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { progress } from "../../src/cli/command-line/screen/progress.ts";
import { processScreen } from "../../src/cli/command-line/screen/screen.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) };
  return { written, screen: processScreen({}, { stdout: stream, stderr: stream, stdin: { isTTY } }) };
}

it("says what takes long and for how long, and takes it back at the end", () => {
  const { written, screen } = terminal(true);
  const done = progress(screen, "Looking…");
  vi.advanceTimersByTime(1200);
  const shown = written.map(stripVTControlCharacters);
  expect([shown[0], shown.at(-1)]).toEqual([
    "\r  ⠋ Looking…",
    expect.stringMatching(/^\r {2}. Looking… {2}1 s$/),
  ]);
  done();
  done();
  expect(written.slice(shown.length)).toEqual(["\r\u001b[K"]);
});

it("says nothing of what is quick, and nothing in a pipe or with --quiet", () => {
  const quick = terminal(true);
  progress(quick.screen, "Looking…")();
  const pipe = terminal(false);
  progress(pipe.screen, "Looking…");
  const quiet = terminal(true);
  progress({ ...quiet.screen, quiet: true }, "Looking…");
  vi.advanceTimersByTime(1000);
  expect([quick.written, pipe.written, quiet.written]).toEqual([[], [], []]);
});
