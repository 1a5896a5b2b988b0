import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copilotDriver } from "../../../src/know/prove/drivers/copilot.ts";
import type { Project } from "../../cli/support/project.ts";
import type { Client } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";
import { writeJson } from "./run-program.ts";

/** Copilot unpacks itself at its first start, which all runs share. */
const CACHE = join(tmpdir(), "tenterhook-copilot-cache");

/** Copilot finds the project by asking git, and runs its hooks only where they are trusted. */
export function trustInCopilot({ cwd, environment }: Project): void {
  const { HOME = "", XDG_CACHE_HOME = "" } = environment;
  execFileSync("git", ["init", "--quiet"], { cwd });
  mkdirSync(CACHE, { recursive: true });
  mkdirSync(XDG_CACHE_HOME, { recursive: true });
  symlinkSync(CACHE, join(XDG_CACHE_HOME, "copilot"));
  writeJson(join(HOME, ".copilot/config.json"), { trustedFolders: [cwd] });
}

export const COPILOT: Client = {
  ...copilotDriver,
  title: "GitHub Copilot CLI",
  failing: [["view", { path: "/no/such/file" }]],
  run: async (given) => {
    trustInCopilot(given.project);
    const { stdout, stderr, ...result } = await runDriver(copilotDriver, [clientProgram("copilot")], given);
    if (stdout === "" && result.requests.length === 0 && result.code !== 1)
      throw new Error(`Copilot ended with ${result.code}. ${stderr}`);
    return result;
  },
};
