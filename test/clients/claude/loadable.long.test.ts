import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import { ODD_SETTINGS, WRONG_SETTINGS } from "../../adapters/claude/wrong-settings.ts";
import { runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const GUARD = { hooks: [{ type: "command", command: "exit 2" }] };

/** True when a guard refused a call while these settings were in the file beside it. */
async function isGuarded(settings: Readonly<Record<string, unknown>>): Promise<boolean> {
  const project = clientProject();
  const hooks = isRecord(settings.hooks) ? settings.hooks : {};
  const groups: readonly unknown[] = Array.isArray(hooks.PreToolUse) ? hooks.PreToolUse : [];
  const guarded = { ...settings, hooks: { ...hooks, PreToolUse: [...groups, GUARD] } };
  project.write(".claude/settings.json", JSON.stringify(guarded));
  await runClaude({ project, script: [[["Bash", { command: "touch ran", description: "Run it" }]]] });
  return !existsSync(join(project.cwd, "ran"));
}

it.each(WRONG_SETTINGS)("it takes no hook from a file with $what", async ({ settings }) => {
  expect(await isGuarded(settings)).toBe(false);
});

it.each(ODD_SETTINGS.map((settings) => ({ settings, what: JSON.stringify(settings) })))(
  "it takes the hooks of a file with $what",
  async ({ settings }) => {
    expect(await isGuarded(settings)).toBe(true);
  },
);
