import { loadConfig } from "tenterhook/config";
import { type Project, project } from "./project.ts";

/** What of the project is not in force. */
export async function refused(files: Project) {
  const { trust } = await loadConfig(files.options);
  return trust.untrusted.map(({ name, reason }) => `${name}: ${reason}`);
}

/** A file with two commands, a list of what is off, and permissions. */
export const COMMANDS = `
hooks:
  disabled: [off]
  definitions:
    - { name: log, type: command, command: python scripts/log.py, matcher: { events: [PreToolUse] } }
    - { name: off, type: command, script: scripts/off.sh, matcher: { events: [PreToolUse] } }
permissions: { allow: [Read] }
`;
/** A project with it and its scripts. */
export const commands = () =>
  project({
    "hooks.yaml": COMMANDS,
    "project/scripts/log.py": "print()\n",
    "project/scripts/off.sh": "exit 0\n",
  });
