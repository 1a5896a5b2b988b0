import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

/**
 * The variable by which everything a program starts can be found again, also what left its process group. Its value
 * grows inside nested runs, so that the outer run finds what the inner one started.
 */
const MARKER_VARIABLE = "TENTERHOOK_RUN";

const outer = process.env[MARKER_VARIABLE] ?? "";
const ours = randomBytes(10).toString("hex");
let count = 0;

/** A mark that no other run on this machine has. */
export function newMarker(): string {
  count += 1;
  return `${ours}.${count}.`;
}

/** The variable that carries a mark. Its value never changes in our own process, so it is read once. */
export function markerVariable(marker: string): readonly [name: string, value: string] {
  return [MARKER_VARIABLE, `${outer}${marker}`];
}

const SESSION_VARIABLE = "TENTERHOOK_SESSION_RUN";

/** The same for everything that the programs of a session start: it outlives the mark of each program. */
export function sessionVariable(marker: string): Readonly<Record<string, string>> {
  return { [SESSION_VARIABLE]: `${process.env[SESSION_VARIABLE] ?? ""}${marker}` };
}

/** How many processes are looked at together: each has a file open meanwhile. */
const TOGETHER = 16;

/**
 * The processes that carry a mark. Only Linux shows the variables of processes; elsewhere there are none. Zombies carry
 * nothing, so who is found is alive.
 */
export async function markedProcesses(marker: string): Promise<readonly number[]> {
  const pids = processIds(await readdir("/proc").catch(() => []));
  const found: number[] = [];
  for (let at = 0; at < pids.length; at += TOGETHER) {
    await Promise.all(
      pids.slice(at, at + TOGETHER).map(async (pid) => {
        const variables = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
        if (variables?.includes(marker) === true) found.push(pid);
      }),
    );
  }
  return found;
}

/** The processes that carry one of these marks, looked for at once: for the end of our process, when nothing can wait. */
export function markedProcessesNow(markers: readonly string[]): readonly number[] {
  if (process.platform !== "linux") return [];
  return processIds(readdirSync("/proc")).filter((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`);
      return markers.some((marker) => variables.includes(marker));
    } catch {
      return false; // Gone, or another user's.
    }
  });
}

function processIds(names: readonly string[]): readonly number[] {
  if (process.platform !== "linux") return [];
  return names.flatMap((name) => (/^\d+$/.test(name) && Number(name) !== process.pid ? [Number(name)] : []));
}
