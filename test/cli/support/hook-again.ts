import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "./project.ts";
import type { CliResult } from "./run-cli.ts";

/**
 * The latest time of a decision that counts. Later calls are the same one for two seconds, which a process may need to start
 * on a busy machine.
 */
export function justDecided(): number {
  return Date.now() + 1900;
}

/** Gives `tenterhook hook` a payload as if what was decided before had been decided now: the first process may end slowly. */
export function hookAgain({ folder, hook }: Project, payload: object): Promise<CliResult> {
  const claims = join(folder, "cache/tenterhook/claims");
  for (const name of readdirSync(claims)) {
    const [head = "", decided = ""] = readFileSync(join(claims, name), "utf8").split("\n");
    if (decided === "") continue;
    const now = { ...JSON.parse(decided), time: justDecided() };
    writeFileSync(join(claims, name), `${head}\n${JSON.stringify(now)}\n`);
  }
  return hook(payload);
}
