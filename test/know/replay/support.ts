import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ChangedCall } from "../../../src/know/replay/tally.ts";
import { loadSqlite } from "../../../src/node/sqlite/load-sqlite.ts";
import type { HookTally } from "../../../src/shared/replay.ts";
import { newProject, type Project } from "../../cli/support/project.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/sessions");

/** The agents of which sessions were recorded with the real programs. */
export const RECORDED = ["claude", "codex", "gemini", "qwen", "copilot", "opencode", "pi"] as const;

export const HOOKS = `hooks:
  definitions:
    - name: no-force-push
      type: inline
      matcher: { events: [PreToolUse], tools: Bash }
      rules: |
        command runs "git push --force" -> deny("Use --force-with-lease.")
        command contains "inner" -> ask("In a subagent?")
`;

/** A project with these hooks, which nobody has trusted. */
export function projectWith(hooks = HOOKS): Project {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", hooks);
  return project;
}

/** Puts what an agent has recorded into the user's home folder. */
export async function withRecorded(project: Project, ...agents: readonly string[]): Promise<void> {
  const home = project.environment.HOME ?? project.folder;
  for (const agent of agents) {
    cpSync(join(FIXTURES, agent), home, { recursive: true });
    if (agent !== "opencode") continue;
    const sql = join(home, "opencode.sql");
    const file = join(home, ".local/share/opencode/opencode.db");
    mkdirSync(dirname(file), { recursive: true });
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(file);
    database.exec(readFileSync(sql, "utf8"));
    database.close();
    rmSync(sql);
  }
}

/** What `--json` prints. */
export interface Report {
  readonly sessions: number;
  readonly events: number;
  readonly unreadable: number;
  readonly would: Readonly<Record<"deny" | "ask" | "rewrite" | "same", number>>;
  readonly by_hook: readonly HookTally[];
  readonly changed: readonly ChangedCall[];
  readonly against?: object;
}

export async function replayed(project: Project, ...args: readonly string[]): Promise<Report> {
  const { stdout, stderr, code } = await project.run(["replay", "--json", ...args]);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** A session as Claude Code writes it: a line for each call. */
export function claudeSession(
  calls: readonly (readonly [tool: string, input: object])[],
  { cwd = "/home/dev/app", session = "s1", at = "2026-11-17T10:00:00.000Z" } = {},
): string {
  const lines = calls.map(([name, input], index) =>
    JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      type: "assistant",
      message: { role: "assistant", content: [{ type: "tool_use", id: `toolu_${index}`, name, input }] },
      timestamp: at,
      cwd,
      sessionId: session,
    }),
  );
  return `${lines.join("\n")}\n`;
}

/** Writes a session into the place where Claude Code has them. */
export function record(project: Project, text: string, name = "s1"): string {
  const file = join(project.folder, `home/.claude/projects/-home-dev-app/${name}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

export const bash = (command: string): readonly [string, object] => ["Bash", { command }];
export const PUSH = bash("git push --force");
