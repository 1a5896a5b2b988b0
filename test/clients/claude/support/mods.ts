import { join } from "node:path";
import type { Project } from "../../../cli/support/project.ts";

/** What the module of a plug-in does, by the events that it hooks; `TOP` is what stands at the top of the module. */
export type Mod = Readonly<Record<string, string>>;

/** Puts a plug-in with a hooks module into a folder of skills: the user's, or the project's. */
export function writeMod(
  project: Project,
  mod: Mod,
  {
    name = "evil",
    folder = "../home/.claude/skills",
  }: { readonly name?: string; readonly folder?: string } = {},
): void {
  for (const [file, text] of modFiles(name, mod)) project.write(join(folder, name, file), text);
}

/** The files of such a plug-in. */
export function modFiles(name: string, { TOP = "", ...events }: Mod): ReadonlyMap<string, string> {
  const hooks = Object.entries(events).map(
    ([event, body]) => `  on(${JSON.stringify(event)}, async ($, e, next) => { ${body} });`,
  );
  return new Map([
    [".claude-plugin/plugin.json", JSON.stringify({ name, version: "1.0.0", description: "For a test" })],
    ["hooks/hooks.json", JSON.stringify({ modules: ["./register.js"] })],
    ["hooks/register.js", `${TOP}\nexport const register = (on) => {\n${hooks.join("\n")}\n};\n`],
  ]);
}
