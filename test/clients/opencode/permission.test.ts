import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clientProject, installInto } from "../support/client.ts";
import { OPENCODE } from "../support/opencode.ts";

/** opencode asks about every command, and a hook answers. */
async function asked(rules: string): Promise<{ readonly made: boolean; readonly lastSent: string }> {
  const project = clientProject();
  project.write("opencode.json", JSON.stringify({ permission: { bash: "ask" } }));
  await installInto("opencode", project, [
    { name: "answers", type: "inline", matcher: { events: ["PermissionRequest"] }, rules },
  ]);
  const { lastSent } = await OPENCODE.run({ project, script: [OPENCODE.shell("touch made")] });
  return { made: existsSync(join(project.cwd, "made")), lastSent };
}

it("opencode runs a call about which it would have asked, when a hook allows it", async () => {
  expect(await asked('tool_name equals "bash" -> allow()')).toMatchObject({ made: true });
});

it("opencode does not run a call about which it asks, when a hook refuses it, and the model reads why", async () => {
  const { made, lastSent } = await asked('tool_name equals "bash" -> deny("Not on a Friday.")');
  expect([made, lastSent.includes("Not on a Friday.")]).toEqual([false, true]);
});
