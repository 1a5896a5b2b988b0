import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const HOOKS = `hooks:
  definitions:
    - name: no-force-push
      type: inline
      matcher: { events: [PreToolUse] }
      rules: |
        command runs "git push --force" -> deny("Use --force-with-lease.")
        command contains "staging" -> ask("Really?")
      examples: [{ match: git push --force }]
    - name: dry-run
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command equals "./deploy.sh" -> set(args.command, "./deploy.sh --dry-run")
    - name: welcome
      type: inline
      once: true
      matcher: { events: [UserPromptSubmit] }
      rules: prompt contains "" -> context("Read AGENTS.md.")
    - name: lint
      type: command
      command: touch ran; echo 'Lint first.' >&2; exit 2
      matcher: { events: [PreToolUse], tools: Write }
`;

/** A project with hooks that nobody has trusted, and a user without any. */
export function project(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ ".tenterhook/hooks.yaml": HOOKS, ...files })) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const environment = { HOME: join(folder, "home"), PATH: process.env.PATH };
  return { folder, environment, file: join(folder, ".tenterhook/hooks.yaml") };
}
