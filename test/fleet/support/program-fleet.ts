import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { stopDaemonAfterTest } from "../../cli/support/project.ts";
import { eventually, isAlive } from "../../support/processes.ts";
import { type FleetOptions, newFleet } from "./fleet.ts";

/** Has a program that stands in for Claude Code: here only processes matter. */
const PROGRAMS = fileURLToPath(new URL("programs", import.meta.url));

export async function programFleet(server: Parameters<typeof newFleet>[0], options: FleetOptions = {}) {
  const fleet = await newFleet(server, { config: {}, ...options });
  const { project, environment } = fleet;
  environment.PATH = [PROGRAMS, environment.PATH].join(delimiter);
  stopDaemonAfterTest({ ...project, environment });
  const begun = (): readonly string[] => {
    const file = join(project.cwd, "begun.txt");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  };
  const pids = async (): Promise<readonly number[]> => {
    const file = join(project.cwd, "pids.txt");
    await eventually(() => expect(existsSync(file) && readFileSync(file, "utf8")).toContain(" "), 60_000);
    await eventually(async () => expect((await fleet.statuses())[0]?.steps).toBeGreaterThan(1));
    return readFileSync(file, "utf8").split(" ").map(Number);
  };
  const gone = (all: readonly number[]) => eventually(() => expect(all.filter(isAlive)).toEqual([]));
  return { ...fleet, begun, pids, gone };
}
