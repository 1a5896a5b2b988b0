import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { createAtomically } from "../../node/files/atomic-write.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { sha256 } from "../inputs/digest.ts";

export interface Granted {
  readonly hash: string;
  /** Its text when it was trusted, so that a review can show what changed. */
  readonly text?: string;
  /** The hooks, packs, permissions and sandbox in it, so that one that is missing is noticed. */
  readonly guards: readonly string[];
  /** True when the user has accepted that it is gone. It is trusted all the same when it comes back as it was. */
  readonly gone?: true;
  /** ISO time. */
  readonly at: string;
}

export interface TrustRecord {
  /** By path from the project's root. */
  readonly files: ReadonlyMap<string, Granted>;
  /** Why the stored trust is invalid; then nothing is trusted. */
  readonly problem?: string;
  readonly file?: string;
}

const FORMAT = 2;
const MOST_BYTES = 50_000_000;
const VERSION = /^(\d{8})\.json$/;
const MOST_TRIES = 1000;

/** The folder with the stored trust of a project. `root` must be a real path. */
export function trustFolder(root: string, environment?: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "trust", sha256(root).slice(0, 32));
}

/** Reads the stored trust of a project. Never throws: when it is invalid, nothing is trusted and `problem` says why. */
export function readTrust(root: string, environment?: NodeJS.ProcessEnv): TrustRecord {
  return newest(root, trustFolder(root, environment)).record;
}

/**
 * Changes what is trusted of a project. Each change is a new version of the file, which only one writer can make; who
 * comes second does its change again on top of the first, so that nothing is lost and no lock can remain. The
 * change may so be asked for several times.
 *
 * @throws TenterhookError `state_unwritable` when the state folder can't be written.
 */
export async function changeTrust(
  root: string,
  environment: NodeJS.ProcessEnv | undefined,
  change: (files: Map<string, Granted>) => void,
): Promise<void> {
  const folder = trustFolder(root, environment);
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const { version, record } = newest(root, folder);
    const files = new Map(record.files);
    change(files);
    const text = JSON.stringify({ format: FORMAT, root, files: Object.fromEntries(files) });
    const file = join(folder, `${String(version + 1).padStart(8, "0")}.json`);
    if (!(await written(file, text, folder))) continue;
    // Others may have gone on so far that the version made here was there before and has been removed again.
    if (newest(root, folder).version > version + 1) continue;
    await removeBefore(folder, version);
    return;
  }
  throw new TenterhookError(
    "state_unwritable",
    `Other processes keep changing ${folder}; trust was not stored.`,
  );
}

async function written(file: string, text: string, folder: string): Promise<boolean> {
  try {
    return await createAtomically(file, text);
  } catch (cause) {
    const code = systemCode(cause) ?? String(cause);
    const reason = REASONS[code] ?? `it can't be written (${code})`;
    throw new TenterhookError("state_unwritable", `Trust can't be stored in ${folder}: ${reason}.`, {
      cause,
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: "the file system is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENOTDIR: "a file is in the place of a folder",
};

interface Version {
  readonly version: number;
  readonly record: TrustRecord;
}

function newest(root: string, folder: string): Version {
  for (let attempt = 0; ; attempt += 1) {
    let version = 0;
    try {
      for (const name of readdirSync(folder))
        version = Math.max(version, Number(VERSION.exec(name)?.[1] ?? 0));
    } catch (error) {
      const code = systemCode(error) ?? String(error);
      if (code === "ENOENT") return { version, record: { files: new Map() } };
      return { version, record: distrusted(folder, `it can't be read (${code})`) };
    }
    if (version === 0) return { version, record: { files: new Map() } };
    const file = join(folder, `${String(version).padStart(8, "0")}.json`);
    const read = readOwnFile(file, MOST_BYTES);
    // Removed in between, because there is a newer one.
    if (read.text === undefined && read.absent === true && attempt < MOST_TRIES) continue;
    const reason = read.text === undefined ? read.reason : "it is damaged";
    const record =
      (read.text === undefined ? undefined : parsed(read.text, root)) ?? distrusted(file, reason);
    return { version, record: { ...record, file } };
  }
}

function distrusted(path: string, reason: string): TrustRecord {
  return {
    files: new Map(),
    problem: `The stored trust in ${path} can't be used: ${reason}. Nothing of this project is trusted. Trust it again with: tenterhook trust`,
  };
}

function parsed(text: string, root: string): TrustRecord | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value.format !== FORMAT || value.root !== root || !isRecord(value.files))
    return undefined;
  const files = new Map<string, Granted>();
  for (const [key, granted] of Object.entries(value.files)) {
    if (!isRecord(granted) || typeof granted.hash !== "string" || typeof granted.at !== "string")
      return undefined;
    const { hash, at, guards, text: shown, gone } = granted;
    files.set(key, {
      hash,
      at,
      guards: Array.isArray(guards) ? guards.filter((name) => typeof name === "string") : [],
      ...(gone === true ? { gone } : {}),
      ...(typeof shown === "string" ? { text: shown } : {}),
    });
  }
  return { files };
}

/** Keeps the version before the newest: a reader may be about to open it. */
async function removeBefore(folder: string, version: number): Promise<void> {
  try {
    const old = readdirSync(folder).filter((name) => Number(VERSION.exec(name)?.[1] ?? version) < version);
    await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
  } catch {
    // An old version is worth nothing and does no harm.
  }
}
