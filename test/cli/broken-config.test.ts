import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { newProject, type Project, shellCall } from "./support/project.ts";

const CLAUDES_OWN = [
  { hook_event_name: "TaskCreated", task_id: "1", task_subject: "s" },
  { hook_event_name: "TaskCompleted", task_id: "1", task_subject: "s" },
  { hook_event_name: "ConfigChange", source: "project_settings" },
  { hook_event_name: "UserPromptExpansion", command_name: "deploy" },
  { hook_event_name: "Elicitation", mcp_server_name: "server", message: "?" },
  { hook_event_name: "AnEventOfTheFuture" },
];

/** True when Claude Code would not go on. */
function isRefused({ code, stdout }: { readonly code: unknown; readonly stdout: string }): boolean {
  return code === 2 || (stdout !== "" && /"decision":"block"|"action":"decline"/.test(stdout));
}

describe("a configuration that can't be read and never could", () => {
  it.each(CLAUDES_OWN)("closes what only Claude Code asks: $hook_event_name", async (event) => {
    const project = newProject({ decidesHere: true });
    project.write(".tenterhook/hooks.yaml", "hooks: [");
    const reply = await project.hook(event);
    expect([isRefused(reply), reply.stdout + reply.stderr]).toEqual([
      true,
      event.hook_event_name === "Elicitation"
        ? expect.any(String)
        : expect.stringContaining("hooks.yaml:1:9"),
    ]);
  });
});

const GOOD = [
  {
    name: "more",
    type: "inline",
    matcher: { events: ["PreToolUse"] },
    rules: 'command contains "rm" -> deny("No.")',
  },
  {
    name: "post",
    type: "inline",
    matcher: { events: ["PostToolUse"] },
    rules: 'tool equals "Bash" -> deny("look")',
  },
];
const bad = (event: string, rules: string) => ({
  name: "bad",
  type: "inline",
  matcher: { events: [event] },
  rules,
});

const afterTool = (project: Project) =>
  project.hook({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {}, tool_response: {} });

describe.each([
  ["an outcome that its event does not have", bad("Stop", 'event equals "Stop" -> deny("x")')],
  ["a pattern that can't be compiled", bad("PermissionRequest", 'command matches "(" -> deny("x")')],
])("a configuration that validate refuses for %s", (_why, refused) => {
  it("comes into force at no event: the last good one stays at all of them", async () => {
    const project = newProject({ decidesHere: true });
    const configure = (definitions: readonly object[]) =>
      project.write("../config/tenterhook/hooks.yaml", stringify({ hooks: { definitions } }));
    configure(GOOD);
    await project.hook(shellCall("ls"));
    configure([...GOOD, refused]);
    expect((await project.run(["check"])).code).toBe(1);
    for (let time = 0; time < 2; time += 1) {
      const reply = JSON.parse((await project.hook(shellCall("rm x"))).stdout);
      expect(reply.hookSpecificOutput.permissionDecisionReason).toBe("No.");
      expect(reply.systemMessage).toContain("the last good one is in force");
      const { stdout } = await afterTool(project);
      expect(JSON.parse(stdout)).toMatchObject({
        decision: "block",
        reason: "look",
        systemMessage: expect.stringContaining("the last good one is in force"),
      });
    }
    const stop = await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    expect(stop.stdout).not.toContain('"decision"');
  });

  it("closes gates when there is no last good one, and no code of its hooks is run to find that out", async () => {
    const project = newProject({ decidesHere: true });
    project.write(
      "code.mjs",
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport default () => {};\n",
    );
    const code = { name: "code", type: "module", module: "code.mjs", matcher: { events: ["SessionEnd"] } };
    await project.configure([...GOOD, code, refused]).catch(() => undefined);
    const { stdout } = await project.hook(shellCall("ls"));
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("there is no last good one"),
    });
    expect(existsSync(join(project.cwd, "ran"))).toBe(false);
  });
});
