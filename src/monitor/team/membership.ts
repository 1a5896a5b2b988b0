import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { daemonPlace } from "../report/daemon-place.ts";

export interface Membership {
  readonly url: string;
  readonly token: string;
  /** What the machine is called there. */
  readonly machine: string;
  /** Tells this machine from another one of its name. */
  readonly id: string;
  readonly joined_at: string;
  /** The certificate that the server's was signed with, when no public authority has. */
  readonly ca?: string;
}

const MOST_BYTES = 1_000_000;

/** The file with the token, for this user alone. */
export function membershipFile(environment: NodeJS.ProcessEnv): string {
  return join(daemonPlace(environment).folder, "team.json");
}

/** `undefined` when this machine has not joined. Never throws. */
export function membershipIn(environment: NodeJS.ProcessEnv): Membership | undefined {
  const value = parseJson(readOwnFile(membershipFile(environment), MOST_BYTES).text ?? "");
  if (!isRecord(value)) return undefined;
  const { url, token, machine, id, joined_at, ca } = value;
  if (typeof url !== "string" || typeof token !== "string" || typeof machine !== "string") return undefined;
  if (typeof id !== "string" || typeof joined_at !== "string") return undefined;
  return { url, token, machine, id, joined_at, ...(typeof ca === "string" ? { ca } : {}) };
}

export async function writeMembership(membership: Membership, environment: NodeJS.ProcessEnv): Promise<void> {
  makePrivateFolder(daemonPlace(environment).folder);
  await writeAtomically(membershipFile(environment), `${JSON.stringify(membership, undefined, 2)}\n`);
}

export function endMembership(environment: NodeJS.ProcessEnv): void {
  rmSync(membershipFile(environment), { force: true });
}

/** The id of this machine for a team's monitor: the same each time it joins. */
export async function machineId(environment: NodeJS.ProcessEnv): Promise<string> {
  const file = join(daemonPlace(environment).folder, "machine-id");
  const known = readOwnFile(file, 100).text ?? "";
  if (/^[\w-]{36}$/.test(known)) return known;
  const made = randomUUID();
  makePrivateFolder(daemonPlace(environment).folder);
  await writeAtomically(file, made);
  return made;
}

/** The first part of this machine's name, with what a name may have. */
export function ownName(): string {
  const [first = ""] = hostname().split(".");
  return first.replaceAll(/[^\w-]/g, "-").replace(/^\W+/, "") || "machine";
}
