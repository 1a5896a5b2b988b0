import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { LAST_GATE } from "../../../src/know/prove/last-gate.ts";
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

/** Our program out of order, whatever agent calls it. */
const BROKEN: readonly PlantedFault[] = [
  [
    "our program removed from the PATH",
    ({ folder }) => rmSync(join(folder, "bin/tenterhook")),
    "not_reached",
    "is not found",
  ],
  [
    "our program hanging",
    (project) => replaceProgram(project, "#!/bin/sh\nexec sleep 600\n"),
    "not_reached",
    "gives no answer within",
  ],
  [
    "our program writing nonsense",
    (project) => replaceProgram(project, "#!/bin/sh\necho nonsense\n"),
    "not_reached",
    'says "nonsense"',
  ],
];

/** A proof starts the agent ten times. */
const TIMEOUT = 400_000;

interface ProofOptions {
  readonly prepare?: (project: Project) => void;
  /** The program of the agent, and its first arguments. */
  readonly program?: (agent: ClientName) => readonly string[];
}

type ProvedClient = Client & { readonly agent: ClientName };

/** A person with the real program, and with ours installed for it. */
export async function provingPerson(
  client: ProvedClient,
  { prepare = () => {}, program = (agent) => [clientProgram(agent)] }: ProofOptions = {},
): Promise<Project> {
  const project = clientProject();
  const programs = join(project.folder, "agents");
  mkdirSync(programs);
  const started = program(client.agent).map((part) => `"${part}"`);
  writeFileSync(join(programs, client.agent), `#!/bin/sh\nexec ${started.join(" ")} "$@"\n`, { mode: 0o755 });
  project.environment.PATH = [programs, project.environment.PATH].join(delimiter);
  project.environment.SHELL = "/bin/bash";
  prepare(project);
  const rule = inline("no-publish", 'command contains "npm publish" -> deny("No.")');
  await installInto(client.agent, project, [rule], { options: client.installOptions ?? [] });
  return project;
}

/** Shows that `tenterhook prove` accuses no healthy agent, and finds faults in the real program. */
export function proofSuite(
  client: ProvedClient,
  weaker: readonly string[],
  faults: readonly PlantedFault[],
  options: ProofOptions = {},
): void {
  const person = () => provingPerson(client, options);
  const proved = async (project: Project) => {
    const { code, stdout } = await project.run(["prove", client.agent, "--json"]);
    const { agents } = JSON.parse(stdout);
    const scenarios: readonly { name: string; result: string; why?: string }[] = agents[0].scenarios;
    return { code, scenarios };
  };
  describe(`tenterhook prove on ${client.title}`, { timeout: TIMEOUT }, () => {
    it("says that it obeys, and what it does in a weaker way", async () => {
      const { code, scenarios } = await proved(await person());
      const can: Readonly<Record<string, unknown>> = {
        subagent: client.startSubagent,
        script: client.script,
      };
      const names = SCENARIOS.filter(({ name }) => !Object.hasOwn(can, name) || can[name] !== undefined);
      expect([code, scenarios.map(({ name, result }) => `${name} ${result}`)]).toEqual([
        0,
        [...names, { name: "own" }, ...(client.agent === "claude" ? [{ name: LAST_GATE }] : [])].map(
          ({ name }) => `${name} ${weaker.includes(name) ? "degraded" : "obeyed"}`,
        ),
      ]);
    });

    it.each([...faults, ...BROKEN])("finds %s", async (_, plant, result, why) => {
      const project = await person();
      plant(project);
      const { code, scenarios } = await proved(project);
      const [deny] = scenarios;
      expect([code, deny]).toEqual([1, { name: "deny", result, why: expect.stringContaining(why) }]);
    });
  });
}

/** Puts a script in the place of our program. */
function replaceProgram({ folder }: Project, script: string): void {
  const programs = join(folder, "agents");
  writeFileSync(join(programs, "tenterhook"), script, { mode: 0o755 });
}
