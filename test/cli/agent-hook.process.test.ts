import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { spooledBy } from "../../src/monitor/report/spool.ts";
import { newProject, type Project } from "./support/project.ts";

const payloadOf = ({ cwd }: Project, more: object): string =>
  JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd, ...more });

describe("tenterhook agent hook", () => {
  it.each([
    ["stop", { hook_event_name: "Stop", stop_hook_active: false }],
    ["pretooluse", { hook_event_name: "PreToolUse", tool_name: "ExitPlanMode", tool_input: { plan: "1." } }],
    [
      "notify",
      { hook_event_name: "Notification", notification_type: "permission_prompt", message: "May I?" },
    ],
  ])(
    "%s tells the monitor which program and process an agent is, and where its transcript is",
    async (event, more) => {
      const project = newProject();
      const transcript_path = join(project.cwd, "transcript.jsonl");
      await project.start(
        ["agent", "hook", event, "worker"],
        payloadOf(project, { ...more, transcript_path }),
      );
      expect(spooledBy("worker", project.environment)).toMatchObject([
        { host: "claude", transcript_path, ...agentProcess(process.pid) },
      ]);
    },
  );
});
