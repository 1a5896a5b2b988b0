import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { decidedHere } from "../../cli/support/decided-here.ts";
import { type Call, callsOf } from "../../cli/support/fixture-calls.ts";
import { newProject, type Project } from "../../cli/support/project.ts";
import { inPlace } from "../../cli/support/run-cli.ts";
import { runs } from "../../support/long.ts";
import { trustProject } from "../../support/trust-project.ts";
import { claudeSession, type Report, replayed } from "./support.ts";

/** So many of them, everyday calls and accidents in turn. */
function planted({ cwd, folder }: Project, count: number): readonly Call[] {
  const accidents = callsOf("unseen-accidents");
  const mixed = callsOf("unseen")
    .flatMap((call, at) => [call, accidents[at] ?? call])
    .slice(0, count);
  const here = JSON.stringify(mixed)
    .replaceAll("$HOME/code/shop", cwd)
    .replaceAll(/"\$HOME\//g, `"${join(folder, "home")}/`);
  return JSON.parse(here);
}

async function initProject(): Promise<Project> {
  const project = newProject();
  await project.run(["init", "--yes"]);
  await trustProject(project.cwd, project.environment);
  return project;
}

/**
 * All in one session, which is one file of the journal: rules look at the files that a line like `find /` may reach, and
 * with a file for each call the live hooks would see other files than the replay did.
 */
const live = (project: Project, payload: object) =>
  inPlace(project, () =>
    decidedHere(project, JSON.stringify({ cwd: project.cwd, session_id: "live", ...payload })),
  );

/** What the report says about each session, which holds one call. */
function bySession({ changed }: Report): ReadonlyMap<string, Report["changed"][number]["now"]> {
  return new Map(changed.map(({ session, now }) => [session, now]));
}

it("every call of Claude Code is decided as the live hooks decide it, with the same reason", async () => {
  const project = await initProject();
  const calls = planted(project, runs(10));
  const sessions = calls.map((call, at) => claudeSession([call], { cwd: project.cwd, session: `c${at}` }));
  const file = project.write("session.jsonl", sessions.join(""));
  const found = bySession(await replayed(project, file));
  const decided = [];
  for (const [at, [tool_name, tool_input]] of calls.entries()) {
    const payload = {
      hook_event_name: "PreToolUse",
      tool_name,
      tool_input,
      tool_use_id: "t",
    };
    const transcript_path = "/home/dev/.claude/projects/app/s1.jsonl";
    const { stdout } = await live(project, { ...payload, transcript_path, permission_mode: "default" });
    const { permissionDecision, permissionDecisionReason } =
      stdout === "" ? {} : (JSON.parse(stdout).hookSpecificOutput ?? {});
    const now = found.get(`c${at}`);
    expect([tool_input, now?.action, now?.reason]).toEqual([
      tool_input,
      permissionDecision,
      permissionDecisionReason,
    ]);
    decided.push(permissionDecision);
  }
  // Otherwise it would prove nothing.
  for (const action of [undefined, "ask"])
    expect(decided.filter((one) => one === action).length).toBeGreaterThan(calls.length / 5);
});

it.each([
  ["codex", ".codex/sessions/2026/11/17/rollout-a.jsonl"],
  ["gemini", ".gemini/tmp/app/chats/session-a.jsonl"],
])("what the live hooks of %s stop is what a replay of its sessions stops", async (agent, path) => {
  const project = await initProject();
  const lines = planted(project, runs(16)).flatMap(([tool, { command }]) =>
    tool === "Bash" ? [command] : [],
  );
  const file = join(project.folder, "home", path);
  const session = { cwd: project.cwd, directories: [project.cwd], projectHash: "a" };
  const text = lines.map((line, at) =>
    agent === "codex"
      ? [
          {
            timestamp: "t",
            type: "session_meta",
            payload: { ...session, id: `c${at}`, session_id: `c${at}` },
          },
          {
            timestamp: "t",
            type: "response_item",
            payload: {
              type: "function_call",
              name: "exec_command",
              arguments: JSON.stringify({ cmd: line }),
            },
          },
        ]
      : [
          { ...session, sessionId: `c${at}` },
          {
            type: "gemini",
            id: `m${at}`,
            toolCalls: [{ id: "a", name: "run_shell_command", args: { command: line } }],
          },
        ],
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `${text
      .flat()
      .map((entry) => JSON.stringify(entry))
      .join("\n")}\n`,
  );
  const report = await replayed(project, "--agent", agent);
  expect(report).toMatchObject({ events: lines.length, unreadable: 0 });
  const found = bySession(report);
  for (const [at, command] of lines.entries()) {
    const payload =
      agent === "codex"
        ? { hook_event_name: "PreToolUse", tool_name: "Bash", turn_id: "t", model: "m" }
        : { hook_event_name: "BeforeTool", tool_name: "run_shell_command" };
    const transcript_path = `/home/dev/${path}`;
    const reply = await live(project, {
      ...payload,
      tool_input: { command },
      transcript_path,
    });
    expect([command, found.has(`c${at}`)]).toEqual([command, /"deny"/.test(reply.stdout)]);
  }
});
