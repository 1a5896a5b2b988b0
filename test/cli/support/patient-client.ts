import { readFileSync } from "node:fs";
import type { Project } from "./project.ts";
import { CLI } from "./run-cli.ts";

/**
 * `tenterhook` as agents call it, but it waits for a daemon that shows no sign for this long instead of 2 seconds: on a busy
 * machine a daemon may stand still.
 */
export function patientClient({ write }: Project, seconds = 60): string {
  const [client = ""] = readFileSync(CLI, "utf8").split("\n*/");
  const patient = client.replaceAll("alarm 2", `alarm ${seconds}`);
  if (patient === client) throw new Error(`${CLI} does not say how long it waits for the daemon.`);
  // What it starts is the built program.
  return write(`../tenterhook-${seconds}`, patient.replaceAll('"$0"', `"${CLI}"`));
}
