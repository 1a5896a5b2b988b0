import { createHooks } from "tenterhook";
import { applyConfig } from "../../../src/config/combine/apply.ts";
import { bashCall } from "../../support/events.ts";
import { type Project, project } from "./project.ts";

export const HOOK = `hooks: { definitions: [
  { name: guard, type: command, command: bash hooks/guard.sh, matcher: { events: [Stop] } }] }`;

/** A project with a hook, its script and the settings of an agent. */
export function guarded(): Project {
  return project({
    "hooks.yaml": HOOK,
    "project/hooks/guard.sh": "exit 0\n",
    "project/.claude/settings.json": "{}\n",
  });
}

/** Which of these shell lines are asked about. */
export async function askedAbout(files: Project, lines: readonly string[]): Promise<readonly string[]> {
  const hooks = createHooks();
  await applyConfig(hooks, await files.load());
  const asked: string[] = [];
  for (const line of lines) {
    const { action } = await hooks.fire(bashCall(line, { cwd: files.path("project") }));
    if (action === "ask") asked.push(line);
  }
  return asked;
}
