import { describe, expect, it } from "vitest";
import { findSessions } from "../../../src/know/replay/find-sessions.ts";
import { readSession } from "../../../src/know/replay/read-session.ts";
import { eventMaker } from "../../../src/know/replay/replay.ts";
import { projectWith, RECORDED, replayed, withRecorded } from "./support.ts";

/** The events of an agent's recorded sessions, each in a line; those of subagents are marked. */
async function eventsOf(agent: string): Promise<readonly string[]> {
  const project = projectWith();
  await withRecorded(project, agent);
  const { cwd, environment } = project;
  const eventOf = await eventMaker(cwd);
  const lines: string[] = [];
  for (const file of await findSessions({ names: [], cwd, environment, agent }))
    for await (const tells of readSession(file, { unreadable: (place) => lines.push(place.why) }))
      for (const told of tells) {
        const { hook_event_name, tool_name, prompt, last_assistant_message, ...event } =
          eventOf(told, agent) ?? {};
        expect(event).toMatchObject({ host: agent, cwd: "/home/dev/app", session_id: expect.any(String) });
        expect(told.at).toMatch(/^2026-11-17T11:5/);
        const what =
          tool_name === undefined ? (prompt ?? last_assistant_message) : toolText(tool_name, event);
        lines.push(
          `${event.agent_id === undefined ? "" : "sub: "}${String(hook_event_name)} ${String(what)}`,
        );
      }
  // Files that were copied in the same moment have no order.
  return lines.sort();
}

function toolText(tool: unknown, { tool_input }: Readonly<Record<string, unknown>>): string {
  const { command, path, file_path, filePath, message, prompt } = Object(tool_input);
  return `${String(tool)}: ${command ?? path ?? file_path ?? filePath ?? message ?? prompt}`;
}

describe("sessions that the real programs have written tell their calls, prompts and answers", () => {
  it.each([
    ["claude", "Bash", "Write: notes.txt", "Agent"],
    ["codex", "Bash", undefined, "spawn_agent"],
    ["gemini", "run_shell_command", "write_file: notes.txt", "invoke_agent"],
    ["qwen", "run_shell_command", "write_file: notes.txt", "agent"],
    ["copilot", "bash", "create: notes.txt", "task"],
    ["opencode", "bash", "write: notes.txt", "task"],
    ["pi", "bash", "write: notes.txt", undefined],
  ])("%s", async (agent, shell, write, subagent) => {
    const always = [
      "UserPromptSubmit begin it",
      `PreToolUse ${shell}: echo one`,
      `PreToolUse ${shell}: git push --force origin main || true`,
      "Stop finished",
    ];
    const more = [
      ...(write === undefined ? [] : [`PreToolUse ${write}`]),
      ...(agent === "claude" ? ["PreToolUse Read: notes.txt"] : []),
      ...(agent === "qwen" ? ["Stop done"] : []),
      ...(subagent === undefined
        ? []
        : [`PreToolUse ${subagent}: SUBMARK make it`, `sub: PreToolUse ${shell}: echo inner`]),
    ];
    expect(await eventsOf(agent)).toEqual([...always, ...more].sort());
  });

  it("all of them at once, each counted for its agent", async () => {
    const project = projectWith();
    await withRecorded(project, ...RECORDED);
    const { would, changed, unreadable } = await replayed(project);
    const agents = (action: string) =>
      changed.filter(({ now }) => now.action === action).map(({ agent }) => agent);
    expect({ unreadable, deny: would.deny, ask: would.ask }).toEqual({ unreadable: 0, deny: 7, ask: 6 });
    expect(agents("deny").sort()).toEqual([...RECORDED].sort());
    expect(agents("ask")).not.toContain("pi");
  });
});
