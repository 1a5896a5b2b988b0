import type { Project } from "./project.ts";

export const NO_PUSH = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};

export const DENIED = {
  code: 0,
  stdout: JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "Not from here.",
    },
  }),
  stderr: "",
};

/** The ids of the records of `git push`, as `tenterhook log` shows them. */
export async function logged(project: Project): Promise<readonly string[]> {
  const { stdout } = await project.run(["log", "--all", "--json"]);
  const lines = stdout.split("\n").filter((line) => line.includes("git push"));
  return lines.map((line) => JSON.parse(line).event_id);
}
