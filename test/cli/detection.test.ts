import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { isRecord } from "../../src/core/base/json.ts";
import { allSpooled } from "../../src/monitor/report/spool.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { newProject } from "./support/project.ts";

/** A payload as the real agent sent it. */
function recorded(agent: string, name: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(
    readFileSync(new URL(`../fixtures/${agent}/${name}.json`, import.meta.url), "utf8"),
  );
  if (!isRecord(value)) throw new Error(`${name} is no payload.`);
  return value;
}

type Shown = Partial<Omit<AgentStatus, "question">> & { readonly question?: unknown };

const QUESTIONS = [{ question: "Which colour?", header: "Colour", options: [{ label: "Blue" }] }];
const PERMISSION = {
  state: "prompting",
  prompt_type: "permission",
  question: { tool_name: "Bash", tool_input: { command: "echo ESC", description: "need it" } },
} as const;

/** What an agent sends, one after the other, and what the monitor shows then. */
const SESSIONS: Readonly<Record<string, readonly (readonly [payload: object, shown: Shown])[]>> = {
  codex: [
    [recorded("codex", "SessionStart.startup"), { state: "starting", host: "codex" }],
    [recorded("codex", "UserPromptSubmit"), { state: "working" }],
    [recorded("codex", "PermissionRequest.Bash"), PERMISSION],
    [recorded("codex", "Stop"), { state: "idle" }],
    [recorded("codex", "SessionEnd"), { state: "exited" }],
  ],
  gemini: [
    [recorded("gemini", "SessionStart"), { state: "starting", host: "gemini" }],
    [recorded("gemini", "BeforeAgent"), { state: "working" }],
    // Its tool for questions was not recorded: this is the envelope of another call.
    [
      { ...recorded("gemini", "BeforeTool"), tool_name: "ask_user", tool_input: { questions: QUESTIONS } },
      { state: "prompting", prompt_type: "question", question: QUESTIONS },
    ],
    [
      { ...recorded("gemini", "AfterTool"), tool_name: "ask_user", tool_input: { questions: QUESTIONS } },
      { state: "working" },
    ],
    // As it is documented.
    [
      {
        ...recorded("gemini", "BeforeAgent"),
        hook_event_name: "Notification",
        notification_type: "ToolPermission",
        message: "May it run ls?",
        details: {},
      },
      { state: "prompting", prompt_type: "permission", question: "May it run ls?" },
    ],
    [recorded("gemini", "AfterAgent"), { state: "idle" }],
    [recorded("gemini", "SessionEnd"), { state: "exited" }],
  ],
};

it.each(Object.keys(SESSIONS))("what %s reports shows its state", async (agent) => {
  const project = newProject({ decidesHere: true });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor: { on_prompt: "escalate" } }));
  project.environment.TENTERHOOK_AGENT_ID = "worker";
  const session_id = "11111111-2222-3333-4444-555555555555";
  for (const [payload, shown] of SESSIONS[agent] ?? []) {
    const { code, stderr } = await project.hook({ ...payload, session_id, cwd: project.cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const status = allSpooled(project.environment).reduce<AgentStatus | undefined>(reduce, undefined);
    expect(status).toMatchObject(shown);
  }
});
