import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "./run-cli.ts";
import { sessions, workspace } from "./session-workspace.ts";

const WRITE = { tool_calls: [{ name: "Write", input: { file_path: "a.txt", content: "x\n" } }] };
/** Not trusted by anybody. */
export const UNTRUSTED = `hooks:
  definitions:
    - { name: mine, type: command, matcher: { events: [PreToolUse] }, command: "true" }
`;

/** A project with a session that waits for a permission, and no hooks. */
export async function suspendedSession() {
  const { cwd, env } = workspace({ "ask.json": [WRITE], "rest.json": [WRITE, { text: "Done." }] });
  await runCli(cwd, env, "run", "Go.", "--suspend", "--model", "scripted:ask.json");
  const [session] = await sessions(cwd, env);
  const id = String(session?.agent_id);
  writeFileSync(join(cwd, "answer.json"), JSON.stringify({ tool_use_id: "t", approval: true }));
  return { cwd, env, id, hasRun: () => existsSync(join(cwd, "a.txt")) };
}

export type SuspendedSession = Awaited<ReturnType<typeof suspendedSession>>;
