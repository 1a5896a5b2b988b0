import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { AgentItem } from "../../../../agent.ts";
import { isRecord, parseJson } from "../../../../core/base/json.ts";
import { ownProgram } from "../../../../node/own-program.ts";
import { startDeadline } from "../../../../node/process/deadline.ts";
import { sessionStore } from "../sessions/session-store.ts";
import type { Scratch } from "./scratch.ts";
import { RELEASE } from "./story.ts";
import { RELEASE_SCRIPT } from "./workspace-files.ts";

const MODEL = ["--model", `scripted:${RELEASE_SCRIPT}`];
const LONGEST_MILLISECONDS = 60_000;

interface Watching {
  readonly signal: AbortSignal;
  readonly onItem: (item: AgentItem) => void;
}

interface Problem {
  readonly problem: string;
}

/** The commands, as a user would type them. */
export const COMMAND = {
  run: `tenterhook run "${RELEASE.task}" ${MODEL.join(" ")}`,
  resume: (id: string): string => `tenterhook sessions resume ${id.slice(0, 8)} ${MODEL.join(" ")}`,
};

/**
 * Runs the release in another process and kills it as soon as its call has published something.
 *
 * @returns the process and its session, or why it did not get that far.
 */
export async function killedRelease(
  scratch: Scratch,
  watching: Watching,
): Promise<{ readonly pid: number; readonly session_id: string } | Problem> {
  const isPublished = (item: AgentItem): boolean =>
    item.type === "tool_progress" && item.text.includes("published");
  const args = ["run", RELEASE.task, ...MODEL];
  const { pid, ended_by, stderr } = await play(scratch, args, watching, isPublished);
  const store = sessionStore(scratch.environment);
  const { transcripts } = await store.list({ root: true, status: "running" });
  await store.close();
  const [cut] = transcripts;
  if (pid === undefined || ended_by !== "SIGKILL" || cut === undefined) return failedDemo("run", stderr);
  return { pid, session_id: cut.session_id };
}

/**
 * Resumes the session in a third process.
 *
 * @returns what went wrong; `undefined` when the release was published exactly once.
 */
export async function resumedRelease(
  scratch: Scratch,
  session_id: string,
  { signal, onItem }: Watching,
): Promise<Problem | undefined> {
  let last: string | undefined;
  const listen = (item: AgentItem): void => {
    if (item.type === "done") last = item.result.text;
    onItem(item);
  };
  const { stderr } = await play(scratch, ["sessions", "resume", session_id, ...MODEL], {
    signal,
    onItem: listen,
  });
  const isWhole = last === RELEASE.last_words && published(scratch).length === 1;
  return isWhole ? undefined : failedDemo("resume", stderr);
}

export function published({ workspace }: Scratch): readonly string[] {
  const file = join(workspace, "published.log");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

/** Runs this program with other arguments; kills it at a certain item. */
async function play(
  { workspace, environment }: Scratch,
  args: readonly string[],
  { signal, onItem }: Watching,
  killedAt: (item: AgentItem) => boolean = () => false,
) {
  const deadline = startDeadline(signal, LONGEST_MILLISECONDS);
  const own = ownProgram(...args, "--json");
  const child = spawn(own.file, own.args, {
    cwd: workspace,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    signal: deadline.signal,
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (_, ended_by) => resolve(ended_by));
  });
  const stderr = text(child.stderr);
  const lines = createInterface({ input: child.stdout });
  let isKilled = false;
  lines.on("line", (line) => {
    const item = parseJson(line);
    if (!isItem(item) || isKilled) return;
    onItem(item);
    isKilled = killedAt(item);
    if (isKilled) child.kill("SIGKILL");
  });
  const ended_by = await ended.finally(deadline.end);
  signal.throwIfAborted();
  return { pid: child.pid, ended_by, stderr: await stderr };
}

function isItem(value: unknown): value is AgentItem {
  return isRecord(value) && typeof value.type === "string";
}

function failedDemo(command: string, stderr: string): Problem {
  return { problem: `tenterhook ${command} did not do what the demo shows. ${stderr.trim()}`.trim() };
}
