import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { bundledProgram } from "../../support/bundled-program.ts";
import { needs } from "../../support/needs.ts";
import { eventually, isAlive, processesWith } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A program on a terminal of its own. */
export interface Terminal {
  /** Types keys as tmux names them: `Enter`, `Escape`, `C-c`, `Up`. */
  keys(...names: readonly string[]): void;
  /** Types text as it is. */
  type(text: string): void;
  /** Pastes text as terminals do. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** What the screen shows now, without blanks at the ends of lines. */
  screen(): string;
  /** The same with its colours, as escape codes. */
  painted(): string;
  /** What has scrolled off the screen, too. */
  history(): string;
  /** Waits until the screen shows this, and returns it. */
  shows(wanted: string | RegExp): Promise<string>;
  /** Waits until the screen does not show this any more. */
  hides(unwanted: string | RegExp): Promise<string>;
  /** Waits for the end of the program and returns its exit code. */
  exitCode(): Promise<number>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Starts `tenterhook …` in tmux. It ends with the test. */
export function inTerminal(
  { cwd, environment }: Pick<Project, "cwd" | "environment">,
  args: readonly string[],
  options: TerminalOptions = {},
): Terminal {
  return terminalWith(cwd, environment, [process.execPath, CLI, ...args], options);
}

const FOR_A_PERSON = new URL("for-a-person.ts", import.meta.url);

/** The same, on a terminal that is a person's, whichever agents run on this machine. */
export function inTerminalOfPerson(
  { cwd, environment }: Pick<Project, "cwd" | "environment">,
  args: readonly string[],
  options: TerminalOptions = {},
): Terminal {
  return terminalWith(cwd, environment, [process.execPath, bundledProgram(FOR_A_PERSON), ...args], options);
}

export function terminalWith(
  cwd: string,
  environment: NodeJS.ProcessEnv,
  program: readonly string[],
  { columns = 80, rows = 24, environment: more = {} }: TerminalOptions = {},
): Terminal {
  needs("tmux");
  const socket = join(temporaryFolder(), "tmux");
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, TERM: "xterm-256color", LANG: "C.UTF-8", TMPDIR: process.env.TMPDIR },
      stdio: ["ignore", "pipe", "pipe"],
    });
  // Its programs, which have its name in TMUX, may take longer to end.
  onTestFinished(async () => {
    const programs = processesWith(socket);
    try {
      tmux("kill-server");
    } catch {
      // It has ended with its program.
    }
    await eventually(() => expect(programs.filter(isAlive)).toEqual([]));
  });
  // What tmux itself sets for its panes stays.
  const variables = Object.entries({ ...environment, LANG: "C.UTF-8", ...more }).map(
    ([name, value]) => `${name}=${value ?? ""}`,
  );
  const line = ["env", "-u", "CI", ...variables, ...program].map(quotedWord).join(" ");
  tmux(
    ...["new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", cwd],
    `${line}; echo "exit code $?"; sleep 600`,
  );
  tmux("set-option", "-g", "history-limit", "5000");
  const captured = (...options: readonly string[]): string =>
    tmux("capture-pane", "-p", ...options)
      .split("\n")
      .map((row) => row.trimEnd())
      .join("\n")
      .trimEnd();
  const screen = (): string => captured();
  const matching = (wanted: string | RegExp) =>
    typeof wanted === "string" ? expect.stringContaining(wanted) : expect.stringMatching(wanted);
  /** Waits for a screen twice in a row: the first may have been half drawn. */
  const seen = async (check: (screen: string) => void): Promise<string> => {
    let shown = "";
    await eventually(async () => {
      check(screen());
      await pause(20);
      shown = screen();
      check(shown);
    });
    return shown;
  };
  const shows = (wanted: string | RegExp): Promise<string> =>
    seen((shown) => expect(shown).toEqual(matching(wanted)));
  return {
    keys: (...names) => void tmux("send-keys", ...names),
    type: (text) => void tmux("send-keys", "-l", text),
    paste: (text) => {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    resize: (width, height) => void tmux("resize-window", "-x", String(width), "-y", String(height)),
    screen,
    painted: () => captured("-e"),
    history: () => tmux("capture-pane", "-p", "-S", "-"),
    shows,
    hides: (unwanted) => seen((shown) => expect(shown).not.toEqual(matching(unwanted))),
    exitCode: async () => Number(/exit code (\d+)/.exec(await shows(/exit code \d+/))?.[1]),
  };
}

function quotedWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
