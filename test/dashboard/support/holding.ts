import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { stringify } from "yaml";
import { newProject, type Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { openScene } from "./scene.ts";

/** A scene whose user answers prompts: hooks wait for that. */
export function answeringScene() {
  const project = newProject({ cached: true });
  const monitor = { on_prompt: { action: "answer", wait: "5m" } };
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  return openScene(project);
}

/** `tenterhook hook` with a payload, which waits for an answer. */
export function holding({ cwd, environment }: Project, payload: object) {
  const hook = spawn(process.execPath, [CLI, "hook"], { cwd, env: environment });
  hook.stdin.end(JSON.stringify({ session_id: "s1", cwd, ...payload }));
  return {
    pid: hook.pid ?? 0,
    done: Promise.all([text(hook.stdout), once(hook, "exit")]).then(([output]) => JSON.parse(output)),
  };
}

export const PLAN = {
  hook_event_name: "PermissionRequest",
  tool_name: "ExitPlanMode",
  tool_input: { plan: "1. Look.\n2. Leap." },
};

export const PERMISSION = {
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command: "npm publish" },
};
