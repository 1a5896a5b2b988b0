import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { AGENT_NAMES, bridgeOf } from "../../adapters/agents.ts";
import type { Bridge } from "../../adapters/bridge.ts";
import { findProgram } from "../../node/process/find-program.ts";
import { homeFolder } from "../../node/user-folders.ts";
import type { Invocation } from "../command-line/command.ts";

/** The agents on this machine: their program is on the PATH, or they have a folder of settings in the home folder. */
export async function foundAgents({
  cwd,
  environment,
}: Pick<Invocation, "cwd" | "environment">): Promise<readonly Bridge[]> {
  const home = environment.HOME ?? homeFolder();
  const bridges = await Promise.all(AGENT_NAMES.map(bridgeOf));
  return bridges.filter(({ program, scopes, settingsFile }) => {
    if (findProgram(program, cwd, environment) !== undefined) return true;
    const folder = scopes.includes("user")
      ? dirname(settingsFile("user", { root: cwd, home, environment }))
      : home;
    return folder !== home && existsSync(folder);
  });
}
