import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claude } from "../../src/adapters/claude/claude.ts";
import { codex } from "../../src/adapters/codex/codex.ts";
import type { HookCall } from "../../src/hook/call.ts";
import { reportEvent } from "../../src/hook/report-event.ts";
import { createHooks } from "../../src/index.ts";
import { spooledBy } from "../../src/monitor/report/spool.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PROMPT = { type: "user", message: { role: "user", content: "Paint it." } };
const CALL = { type: "assistant", message: { role: "assistant", content: [{ type: "tool_use", id: "t1" }] } };

/** A call with these variables. */
const callIn = (environment: NodeJS.ProcessEnv): HookCall => ({
  text: "",
  cwd: "/",
  environment,
  time: 0,
  pid: process.pid,
  parent: process.ppid,
  signal: new AbortController().signal,
});

/** What the monitor is told about a stop of a session with this transcript. */
async function reported(entries: readonly object[], variables: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder();
  const environment = { XDG_STATE_HOME: folder, ...variables };
  const transcript_path = join(folder, "transcript.jsonl");
  const timestamp = "2026-01-01T00:00:00.000Z";
  writeFileSync(transcript_path, entries.map((entry) => JSON.stringify({ ...entry, timestamp })).join("\n"));
  const event = claude.decode({ hook_event_name: "Stop", session_id: "s1", cwd: folder, transcript_path });
  const hooks = createHooks();
  hooks.observe({ onDecision: (decided) => reportEvent(decided, claude, callIn(environment), { from: {} }) });
  await hooks.fireUntyped(event);
  return spooledBy("s1", environment);
}

it("the monitor is told whether the agent used a tool in the turn that ends", async () => {
  expect(await reported([PROMPT, CALL])).toMatchObject([{ type: "agent:stopped", worked: true }]);
  const [idle] = await reported([CALL, PROMPT]);
  expect(idle).toMatchObject({ type: "agent:stopped" });
  expect(idle).not.toHaveProperty("worked");
});

it("the monitor is told when it has woken the agent itself", async () => {
  expect(await reported([PROMPT], { TENTERHOOK_WOKEN_BY: "a-1" })).toMatchObject([{ woken_by: "a-1" }]);
});

it("the monitor takes what nobody typed for no task", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const hooks = createHooks();
  hooks.observe({ onDecision: (decided) => reportEvent(decided, claude, callIn(environment), { from: {} }) });
  const prompts = ["Paint it.", "<task-notification>\n<summary>Done</summary>\n</task-notification>"];
  for (const prompt of prompts)
    await hooks.fireUntyped(
      claude.decode({ hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: "/", prompt }),
    );
  const [typed, automatic] = spooledBy("s1", environment);
  expect(typed).toMatchObject({ type: "agent:turn", prompt: "Paint it." });
  expect(automatic).toMatchObject({ type: "agent:turn", woken_by: "notification", new_turn: true });
  expect([typed, automatic].map((event) => event !== undefined && "woken_by" in event)).toEqual([
    false,
    true,
  ]);
  expect(automatic).not.toHaveProperty("prompt");
});

it("the monitor is told what a turn has left running, which is not waiting for a human", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const hooks = createHooks();
  hooks.observe({ onDecision: (decided) => reportEvent(decided, claude, callIn(environment), { from: {} }) });
  const task = {
    id: "a3",
    type: "subagent",
    description: "Read 41 changelogs",
    agent_type: "general-purpose",
  };
  const stopWith = (...background_tasks: readonly object[]) =>
    hooks.fireUntyped(
      claude.decode({ hook_event_name: "Stop", session_id: "s1", cwd: "/", background_tasks }),
    );
  await stopWith({ ...task, status: "running" }, { type: "shell", status: "running", command: "sleep 5" });
  await stopWith({ ...task, status: "completed" });
  expect(spooledBy("s1", environment)).toMatchObject([
    { type: "agent:delegated", waits_for: "subagent: Read 41 changelogs and 1 more" },
    { type: "agent:stopped" },
  ]);
});

it("the monitor is told that the user has interrupted Codex", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const hooks = createHooks();
  hooks.observe({ onDecision: (decided) => reportEvent(decided, codex, callIn(environment), { from: {} }) });
  const event = codex.decode({ hook_event_name: "Interrupt", session_id: "s1", cwd: "/", turn_id: "t1" });
  await hooks.fireUntyped(event);
  expect(spooledBy("s1", environment)).toMatchObject([{ type: "agent:interrupted" }]);
});
