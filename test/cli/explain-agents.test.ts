import { describe, expect, it } from "vitest";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { newProject, type Project } from "./support/project.ts";

const guard = (action: string) => ({
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: `command runs "git push" -> ${action}`,
});

async function guarded(action: string): Promise<Project> {
  const project = newProject();
  await project.configure([guard(action)]);
  return project;
}

describe("explain with a shell line and an agent", () => {
  it.each(AGENT_NAMES)("shows how %s is refused", async (agent) => {
    const project = await guarded('deny("Not today.")');
    const { code, stdout } = await project.run(["explain", "git push --force", "--agent", agent, "--json"]);
    const { event, decision, native } = JSON.parse(stdout);
    expect([code, event.host, event.cwd, decision.action]).toEqual([0, agent, project.cwd, "deny"]);
    expect(native.stdout + native.stderr).toContain("Not today.");
    expect(native.losses).toEqual([]);
  });

  it("shows the reply to the byte and what is lost", async () => {
    const project = await guarded('ask("Is that meant?")');
    const { stdout } = await project.run(["explain", "git push", "--agent", "gemini"]);
    const reason = "Needs your OK, and Gemini CLI can't ask, so it is refused. Is that meant? [guard]";
    expect(stdout).toContain(`{"decision":"deny","reason":"${reason}"`);
    expect(stdout).toContain("Gemini CLI does not support ask on BeforeTool. It is refused instead.");
  });
});
