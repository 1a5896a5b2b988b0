import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clientProject, installInto } from "../support/client.ts";
import { OPENCODE } from "../support/opencode.ts";

/** opencode asks about every command, and a hook answers. True when the command ran. */
async function asked(rules: string): Promise<boolean> {
  const project = clientProject();
  project.write("opencode.json", JSON.stringify({ permission: { bash: "ask" } }));
  await installInto("opencode", project, [
    { name: "answers", type: "inline", matcher: { events: ["PermissionRequest"] }, rules },
  ]);
  await OPENCODE.run({ project, script: [OPENCODE.shell("touch made")] });
  return existsSync(join(project.cwd, "made"));
}

it.each(["allow()", 'deny("Not on a Friday.")'])(
  "opencode run does not run a call about which it asks, also when a hook says %s: it refuses before a hook can answer",
  async (action) => {
    expect(await asked(`tool_name equals "bash" -> ${action}`)).toBe(false);
  },
);
