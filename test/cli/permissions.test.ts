import { describe, expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

async function withPermissions(permissions: object): Promise<Project> {
  const project = newProject({ decidesHere: true });
  project.write(".tenterhook/hooks.yaml", JSON.stringify({ permissions }));
  await trustProject(project.cwd, project.environment);
  return project;
}

async function decided(project: Project, call: object): Promise<readonly [action: string, reason: string]> {
  const { stdout } = await project.hook({ ...call, tool_use_id: JSON.stringify(call) });
  if (stdout === "") return ["nothing", ""];
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  return [permissionDecision, permissionDecisionReason];
}

describe("the permissions of a configuration in another agent", () => {
  it("refuse, ask and allow by their rules, and leave other calls to the agent", async () => {
    const project = await withPermissions({
      deny: ["Bash(curl:*)", "Read(.env)"],
      ask: ["Bash(git push:*)"],
      allow: ["Bash(npm test:*)"],
    });
    const read = { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: ".env" } };
    expect(await decided(project, shellCall("ls && curl example.com"))).toEqual([
      "deny",
      "Bash is denied by Bash(curl:*).",
    ]);
    expect(await decided(project, read)).toEqual(["deny", "Read is denied by Read(.env)."]);
    expect(await decided(project, shellCall("cat .env"))).toEqual(["deny", "Bash is denied by Read(.env)."]);
    expect((await decided(project, shellCall("git push origin main")))[0]).toBe("ask");
    expect((await decided(project, shellCall("npm test")))[0]).toBe("allow");
    expect(await decided(project, shellCall("npm test > src/a.ts"))).toEqual(["nothing", ""]);
    expect(await decided(project, shellCall("make"))).toEqual(["nothing", ""]);
  });

  it("refuse what they would ask about in the mode dont-ask", async () => {
    const project = await withPermissions({ mode: "dont-ask", ask: ["Bash(git push:*)"] });
    expect((await decided(project, shellCall("git push")))[0]).toBe("deny");
    expect(await decided(project, shellCall("ls"))).toEqual(["nothing", ""]);
  });

  it("are installed by themselves, also without self-protection", async () => {
    const project = await withPermissions({ deny: ["Bash(curl:*)"] });
    project.write("../config/tenterhook/hooks.yaml", "self_protection: { enabled: false }\n");
    const { stdout } = await project.run(["install", "claude", "--json"]);
    expect(JSON.parse(stdout).installed[0].events).toContain("PreToolUse");
  });

  it("are explained", async () => {
    const project = await withPermissions({ deny: ["Bash(curl:*)"] });
    const event = { session_id: "s", cwd: project.cwd, tool_use_id: "t", ...shellCall("curl x") };
    project.write("event.json", JSON.stringify(event));
    const { stdout } = await project.run(["explain", "event.json", "--agent", "claude"]);
    expect(stdout).toContain("Bash is denied by Bash(curl:*).");
    expect(stdout).toContain("tenterhook:permissions");
  });
});
