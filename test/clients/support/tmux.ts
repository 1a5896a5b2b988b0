import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../../support/processes.ts";

const MOST_MILLISECONDS = 120_000;

/** A program on a terminal of its own, as a person at the desk sees and uses it. */
export interface Desk {
  /** What the terminal shows now. */
  screen(): string;
  /** Waits until the terminal shows a text. */
  shows(text: string | RegExp): Promise<void>;
  /** Types text as it is. */
  types(text: string): void;
  /** Presses a key by tmux's name: `Enter`, `Escape`, `Down`. */
  presses(...keys: readonly string[]): void;
  /** The process of the terminal itself, which continues what is stopped in it. */
  pid(): number;
}

/** Starts a program in tmux, with these variables alone. Its terminal ends with the test. */
export function atDesk(
  [program, args]: readonly [program: string, args: readonly string[]],
  { folder, cwd, environment }: { folder: string; cwd: string; environment: NodeJS.ProcessEnv },
): Desk {
  const socket = join(folder, "desk");
  const script = join(folder, "desk.sh");
  const assigned = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}`],
  );
  writeFileSync(script, `exec env -i ${assigned.join(" ")} ${[program, ...args].map(quoted).join(" ")}\n`);
  const tmux = (...given: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...given], { encoding: "utf8" });
  tmux("new-session", "-d", "-x", "150", "-y", "60", "-c", cwd, "sh", script);
  onTestFinished(() => {
    try {
      tmux("kill-server");
    } catch {
      // The program has ended, and its terminal with it.
    }
  });
  const screen = (): string => tmux("capture-pane", "-p");
  return {
    screen,
    shows: (text) =>
      eventually(() => {
        const shown = screen();
        if (typeof text === "string") expect(shown).toContain(text);
        else expect(shown).toMatch(text);
      }, MOST_MILLISECONDS),
    types: (text) => void tmux("send-keys", "-l", text),
    presses: (...keys) => void tmux("send-keys", ...keys),
    pid: () => Number(tmux("display-message", "-p", "#{pid}")),
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
