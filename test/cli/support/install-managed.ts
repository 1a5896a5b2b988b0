import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newProject, shellCall } from "./project.ts";
import { CLI } from "./run-cli.ts";

export const HOOKS = `hooks:
  managed_by: the platform team
  definitions:
    - { name: no-publish, type: inline, matcher: { events: [PreToolUse], tools: [Bash] }, rules: 'command contains "npm publish" -> deny("Releases go through CI.")' }
`;

/** A machine whose /etc is a folder of the test. */
export function machine(managed?: string) {
  const project = newProject();
  const etc = join(project.folder, "etc");
  mkdirSync(join(etc, "tenterhook"), { recursive: true });
  if (managed !== undefined) writeFileSync(join(etc, "tenterhook/hooks.yaml"), managed);
  const tenterhook = (args: readonly string[], input = "", environment: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync(
      "bwrap",
      ["--dev-bind", "/", "/", "--bind", etc, "/etc", process.execPath, CLI, ...args],
      { cwd: project.cwd, env: { ...project.environment, ...environment }, input, encoding: "utf8" },
    );
    return { code: status, stdout, stderr };
  };
  /** What the agent is told about a shell command. */
  const decided = (command: string, environment?: NodeJS.ProcessEnv) => {
    const call = { session_id: "s", cwd: project.cwd, ...shellCall(command), tool_use_id: "t" };
    return JSON.parse(tenterhook(["hook"], JSON.stringify(call), environment).stdout).hookSpecificOutput;
  };
  return { etc, folder: project.folder, tenterhook, decided };
}
