import { promises, readdirSync, readFileSync } from "node:fs";

/**
 * The variable that marks everything a program starts, also what left its process group. Nested runs append to its
 * value, so that the outer run finds what the inner one started.
 */
const MARKER_VARIABLE = "TENTERHOOK_RUN";

const outer = process.env[MARKER_VARIABLE] ?? "";
/** Every marker of our process begins with this. No secret, and no other process has it: loading `node:crypto` for random bytes would cost each hook 5 ms. */
const OUR_MARKER = `p${process.pid}-${process.hrtime.bigint()}.`;
let count = 0;

/** A marker that no other run on this machine has. */
export function newMarker(): string {
  count += 1;
  return `${OUR_MARKER}${count}.`;
}

export function markerVariable(marker: string): readonly [name: string, value: string] {
  return [MARKER_VARIABLE, `${outer}${marker}`];
}

const SESSION_VARIABLE = "TENTERHOOK_SESSION_RUN";

/** Marks everything that the programs of a session start; it outlives the marker of each program. */
export function sessionVariable(marker: string): Readonly<Record<string, string>> {
  return { [SESSION_VARIABLE]: `${process.env[SESSION_VARIABLE] ?? ""}${marker}` };
}

/** How many processes are read at once: each needs an open file. */
const TOGETHER = 16;

/**
 * The processes that have a marker. Only Linux shows the variables of processes. Zombies have none, so all of them are
 * alive.
 */
export async function markedProcesses(marker: string): Promise<readonly number[]> {
  const pids = processIds(await promises.readdir("/proc").catch(() => []));
  const found: number[] = [];
  for (let at = 0; at < pids.length; at += TOGETHER) {
    await Promise.all(
      pids.slice(at, at + TOGETHER).map(async (pid) => {
        const variables = await promises.readFile(`/proc/${pid}/environ`).catch(() => undefined);
        if (variables?.includes(marker) === true) found.push(pid);
      }),
    );
  }
  return found;
}

/** Synchronous, for the end of our process. */
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
