import { readFileSync } from "node:fs";
import type { Project } from "./project.ts";
import { CLI } from "./run-cli.ts";

/**
 * `tenterhook` as agents call it, but it waits for a daemon that shows no sign for this long instead of 2 seconds, and for
 * others to start first instead of 20: on a busy machine everything may stand still.
 */
export function patientClient({ write }: Project, seconds = 60): string {
  const [client = ""] = readFileSync(CLI, "utf8").split("\n*/");
  const waits = /\balarm 2\b|\btime \+ 20\b/g;
  if (client.match(waits)?.length !== 3) throw new Error(`${CLI} does not say how long it waits.`);
  const patient = client.replaceAll(waits, (wait) => wait.replace(/\d+/, String(seconds)));
  // What it starts is the built program.
  return write(`../tenterhook-${seconds}`, patient.replaceAll('"$0"', `"${CLI}"`));
}
