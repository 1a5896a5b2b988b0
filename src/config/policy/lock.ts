import { dirname, join } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { regularText } from "../../node/files/regular-file.ts";
import type { PolicyAddress } from "./address.ts";
import { policyFolderName } from "./address.ts";

/** What one address led to when it was fetched. */
export interface LockedPolicy {
  /** The commit, or the version. */
  readonly resolved: string;
  /** The hash of its files. */
  readonly sha256: string;
}

/** The policies of one configuration file by their addresses. */
export type PolicyLock = Readonly<Record<string, LockedPolicy>>;

const MOST_BYTES = 1_000_000;

/** The lock file beside a configuration file. */
export function lockFile(configuration: string): string {
  return join(dirname(configuration), "policy.lock");
}

/** The folder of a policy's files, beside the configuration file that names it. */
export function policyFolder(configuration: string, address: PolicyAddress): string {
  return join(dirname(configuration), "policy", policyFolderName(address));
}

/** Reads a lock file. An absent one is empty; `undefined` for one that can't be read. */
export function readLock(file: string): PolicyLock | undefined {
  const text = regularText(file, MOST_BYTES);
  if (text === undefined) return {};
  const value = parseJson(text);
  if (!isRecord(value) || !isRecord(value.policies)) return undefined;
  const policies: Record<string, LockedPolicy> = {};
  for (const [address, entry] of Object.entries(value.policies)) {
    if (!isRecord(entry) || typeof entry.resolved !== "string" || typeof entry.sha256 !== "string")
      return undefined;
    policies[address] = { resolved: entry.resolved, sha256: entry.sha256 };
  }
  return policies;
}

/** The text of a lock file. */
export function lockText(lock: PolicyLock): string {
  const policies = Object.fromEntries(Object.entries(lock).sort(([one], [other]) => (one < other ? -1 : 1)));
  return `${JSON.stringify({ version: 1, policies }, null, 2)}\n`;
}
