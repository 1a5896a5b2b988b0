import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { rulesHook } from "../../support/hook-definitions.ts";
import { type Client, clientProject, installInto } from "./client.ts";

/** Something that turns all hooks of an agent off: a file with these keys or this text more, or a variable. */
export interface OffSwitch {
  /** Below the project; `~/` is the user's folder. */
  readonly file?: string;
  readonly json?: object;
  readonly text?: string;
  readonly variable?: string;
}

const REFUSES = rulesHook("refuses", 'command contains "made" -> deny("Nothing is made here.")');

/** Shows in the real program that each of these really turns our hooks off, and that doctor and install say so. */
export function switchSuite(client: Client, switches: readonly OffSwitch[]): void {
  describe(`${client.title} without its hooks`, () => {
    it.each(switches)("runs what we refuse, as doctor and install say: $file $variable", async (given) => {
      const project = clientProject();
      const options = client.installOptions ?? [];
      await installInto(client.agent, project, [REFUSES], { options });
      turnOff(project, given);
      const doctor = await project.run(["doctor"]);
      const install = await project.run(["install", client.agent, ...options]);
      await client.run({ project, script: [client.shell("touch made")] });
      expect(existsSync(join(project.cwd, "made"))).toBe(true);
      expect(doctor.stdout.replaceAll(/\s+/g, " ")).toContain("No hook runs");
      expect(install.stdout.replaceAll(/\s+/g, " ")).toMatch(
        /No hook will run|None of the hooks in this file will run/,
      );
    });
  });
}

function turnOff({ cwd, environment }: Project, { file, json, text = "", variable }: OffSwitch): void {
  if (variable !== undefined) environment[variable] = "1";
  if (file === undefined) return;
  const path = file.startsWith("~/") ? join(environment.HOME ?? "", file.slice(2)) : join(cwd, file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  mkdirSync(dirname(path), { recursive: true });
  const merged = json === undefined ? undefined : { ...JSON.parse(before || "{}"), ...json };
  writeFileSync(path, merged === undefined ? before + text : JSON.stringify(merged));
}
