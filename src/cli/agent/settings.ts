import { join } from "node:path";
import { claudeBridge } from "../../adapters/claude/bridge.ts";
import { addToList } from "../../adapters/settings-json.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../node/files/private-folder.ts";
import { stateFolder } from "../../node/state-folder.ts";
import { projectRoot } from "../bridges/project-root.ts";
import { edited, settingsOf } from "../bridges/settings-files.ts";
import type { Invocation } from "../command.ts";

/** The events an agent's own hooks are entered for: with the tools they are asked about, and the name of the hook. */
const ENTRIES = [
  { event: "PreToolUse", matcher: "ExitPlanMode|AskUserQuestion|EnterPlanMode", hook: "pretooluse" },
  { event: "Stop", hook: "stop" },
  { event: "Notification", hook: "notify" },
] as const;

/**
 * Writes the settings of one agent: the project's own, with the hooks of this agent beside them. The project's file is
 * left as it is.
 *
 * @returns the path, to be given to the agent.
 * @throws TenterhookError `settings_unreadable` when the project's file can't be parsed.
 */
export async function writeAgentSettings(agent: string, invocation: Invocation): Promise<string> {
  const { environment } = invocation;
  const project = settingsOf(claudeBridge, "project", await projectRoot(invocation), environment);
  const text = edited(project, (before) =>
    ENTRIES.reduce((left, { event, hook, ...rest }) => {
      const command = `tenterhook agent hook ${hook} ${agent}`;
      return addToList(left, ["hooks", event], { ...rest, hooks: [{ type: "command", command }] });
    }, before),
  );
  const folder = join(stateFolder(environment), "agents", agent);
  makePrivateFolder(folder);
  const file = join(folder, "settings.json");
  await writeAtomically(file, text ?? "{}\n");
  return file;
}
