import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { AGENT_NAMES } from "../../adapters/agents.ts";
import type { Integration } from "../../adapters/integration.ts";
import { integrationOf } from "../../adapters/integrations.ts";
import { placesIn } from "../../hook/installed/settings-files.ts";
import { findProgram } from "../../node/process/find-program.ts";
import type { Invocation } from "../command-line/command.ts";

/** The agents on this machine: their program is on the PATH, or they have a folder of settings in the home folder. */
export async function foundAgents({ cwd, environment }: Invocation): Promise<readonly Integration[]> {
  const places = placesIn(cwd, environment);
  const integrations = await Promise.all(AGENT_NAMES.map(integrationOf));
  return integrations.filter(({ program, scopes, settingsFile }) => {
    if (findProgram(program, cwd, environment) !== undefined) return true;
    const folder = scopes.includes("user") ? dirname(settingsFile("user", places)) : places.home;
    return folder !== places.home && existsSync(folder);
  });
}
