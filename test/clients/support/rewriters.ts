import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rulesHook } from "../../support/hook-definitions.ts";
import { type Client, clientProject, installInto } from "./client.ts";

const REFUSES = rulesHook("refuses", 'command contains "made" -> deny("Nothing is made here.")');

/** Shows in the real program that a plug-in of somebody else can't change a call that we have judged, and is named. */
export function rewriterSuite(
  client: Client,
  plugin: { readonly file: string; readonly text: string },
): void {
  it(`${client.title} does not run a judged call that another plug-in changes, and names the plug-in`, async () => {
    const project = clientProject();
    await installInto(client.agent, project, [REFUSES], { options: ["--user"] });
    project.write(plugin.file, plugin.text);
    const { lastSent } = await client.run({ project, script: [client.shell("touch fine")] });
    expect({
      made: existsSync(join(project.cwd, "made")),
      names: lastSent.includes(`${plugin.file.split("/").at(-1)} wanted to change`),
    }).toEqual({ made: false, names: true });
  });

  it(`${client.title} runs a judged call beside a plug-in that changes nothing`, async () => {
    const project = clientProject();
    await installInto(client.agent, project, [REFUSES], { options: ["--user"] });
    await client.run({ project, script: [client.shell("touch fine")] });
    expect(existsSync(join(project.cwd, "fine"))).toBe(true);
  });
}
