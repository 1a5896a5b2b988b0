import { PACKS } from "../../rules/packs/packs.ts";

/** The packs of a first configuration, unless the user chooses others. */
export const USUAL_PACKS: readonly string[] = ["safe-shell", "protect-secrets"];

/**
 * The text of a first configuration: by default the one that `tenterhook init` writes for a project where nobody is asked.
 *
 * @param schema where editors find what may stand in it.
 */
export function starterText(schema?: string, packs = USUAL_PACKS, isUser = false): string {
  const others = [...PACKS.keys()].filter((name) => !packs.includes(name));
  const more = others.length === 0 ? "" : ` Others: ${others.join(", ")}.`;
  const head = schema === undefined ? "" : `# yaml-language-server: $schema=${schema}\n#\n`;
  return `${head}# ${isUser ? "Your own hooks, in every project" : "Hooks of this project"}. tenterhook list shows what is in force, tenterhook check reads this file and says what is wrong.
${isUser ? "# A project can add hooks to them, and can't turn them off." : "# Settings for one machine only go into hooks.local.yaml, in the same folder."}

hooks:
  # Packs that ship with tenterhook.${more}
  use: [${packs.join(", ")}]

  # Seconds a hook has when it does not say itself.
  timeout: 30

  # Hooks that are off, by name. tenterhook off NAME adds to it.
  disabled: []

  # Hooks of your own. Rules decide without starting a program; the first that fits wins. A program gets the event as
  # JSON on stdin: exit 2 refuses, with stderr as the reason; on Stop, the agent goes on.
  # definitions:
  #   - name: ask-before-migrating
  #     type: inline
  #     matcher: { events: [PreToolUse], tools: [Bash] }
  #     rules: |
  #       command runs "npm run migrate" -> ask("Change the database?")
  #     examples:
  #       - { match: npm run migrate }
  #       - { not_match: npm run build }
  #   - name: tests-pass
  #     type: command
  #     command: npm test >&2 || exit 2
  #     matcher: { events: [Stop] }
  #     timeout: 300
`;
}

/** True for the text of a user's first configuration that nobody has changed since. */
export function isUsersStarter(text: string): boolean {
  const [, schema] = /\$schema=(.*)/.exec(text) ?? [];
  const [, packs = ""] = /^ {2}use: \[(.*)\]$/m.exec(text) ?? [];
  return text === starterText(schema, packs.split(", ").filter(Boolean), true);
}
