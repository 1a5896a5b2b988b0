import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../../../src/know/prove/scenarios.ts";
import type { Project } from "../../cli/support/project.ts";
import { type Client, clientProject, installInto } from "./client.ts";
import { type ClientName, clientProgram } from "./install-clients.ts";
import { inline } from "./scenarios.ts";

/** Something that keeps hooks from running, and a part of the sentence that names it. */
export type PlantedFault = readonly [
  fault: string,
  plant: (project: Project) => void,
  result: string,
  why: string,
];

/** Shows that `tenterhook prove` accuses no healthy agent, and finds faults in the real program. */
export function proofSuite(
  client: Client & { readonly agent: ClientName },
  weaker: readonly string[],
  faults: readonly PlantedFault[],
  {
    prepare = () => {},
    program = (agent) => [clientProgram(agent)],
  }: {
    readonly prepare?: (project: Project) => void;
    /** The program of the agent, and its first arguments. */
    readonly program?: (agent: ClientName) => readonly string[];
  } = {},
): void {
  const person = async (): Promise<Project> => {
    const project = clientProject();
    const programs = join(project.folder, "agents");
    mkdirSync(programs);
    const started = program(client.agent).map((part) => `"${part}"`);
    writeFileSync(join(programs, client.agent), `#!/bin/sh\nexec ${started.join(" ")} "$@"\n`, {
      mode: 0o755,
    });
    project.environment.PATH = [programs, project.environment.PATH].join(delimiter);
    project.environment.SHELL = "/bin/bash";
    prepare(project);
    const rule = inline("no-publish", 'command contains "npm publish" -> deny("No.")');
    await installInto(client.agent, project, [rule], { options: client.installOptions ?? [] });
    return project;
  };
  const proved = async (project: Project) => {
    const { code, stdout } = await project.run(["prove", client.agent, "--json"]);
    const { agents } = JSON.parse(stdout);
    const scenarios: readonly { name: string; result: string; why?: string }[] = agents[0].scenarios;
    return { code, scenarios };
  };
  describe(`tenterhook prove on ${client.title}`, () => {
    it("says that it obeys, and what it does in a weaker way", async () => {
      const { code, scenarios } = await proved(await person());
      const names = SCENARIOS.filter(({ name }) => name !== "subagent" || client.startSubagent !== undefined);
      expect([code, scenarios.map(({ name, result }) => `${name} ${result}`)]).toEqual([
        0,
        [...names, { name: "own" }].map(
          ({ name }) => `${name} ${weaker.includes(name) ? "degraded" : "obeyed"}`,
        ),
      ]);
    });

    it.each(faults)("finds %s", async (_, plant, result, why) => {
      const project = await person();
      plant(project);
      const { code, scenarios } = await proved(project);
      const [deny] = scenarios;
      expect([code, deny]).toEqual([1, { name: "deny", result, why: expect.stringContaining(why) }]);
    });
  });
}

/** Puts a script in the place of our program. */
export function replaceProgram({ folder }: Project, script: string): void {
  const programs = join(folder, "agents");
  writeFileSync(join(programs, "tenterhook"), script, { mode: 0o755 });
}
