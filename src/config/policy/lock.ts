import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { regularText } from "../../node/files/regular-file.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { type PolicyAddress, policyAddress } from "./address.ts";
import { policyHash } from "./tree.ts";

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
  const name =
    address.kind === "npm" ? address.name : new URL(address.url).pathname.replace(/\.git$|\/+$/g, "");
  const parts = name.split(/[^\w.-]+/).filter((part) => /\w/.test(part));
  return join(dirname(configuration), "policy", parts.slice(-2).join("-"));
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

export function lockText(lock: PolicyLock): string {
  const policies = Object.fromEntries(Object.entries(lock).sort(([one], [other]) => (one < other ? -1 : 1)));
  return `${JSON.stringify({ version: 1, policies }, null, 2)}\n`;
}

/**
 * Finds the files of a policy that `use` names by its address: they were fetched once and are beside the configuration
 * file. They count only as the lock file knows them; nothing is fetched here.
 */
export function lockedPolicy(
  name: string,
  configuration: string,
  inputs: Inputs,
): { readonly folder: string } | { readonly problem: string } {
  const address = policyAddress(name);
  if (address === undefined)
    return {
      problem: `${JSON.stringify(name)} is no address of a policy. Write git+https://host/team/policy.git#REVISION or npm:NAME@VERSION.`,
    };
  const file = lockFile(configuration);
  inputs.see("file", file);
  const lock = readLock(file);
  if (lock === undefined)
    return {
      problem: `${file} can't be read, so nothing says which policy is meant. tenterhook update writes it again.`,
    };
  const folder = policyFolder(configuration, address);
  inputs.see("folder", folder);
  const entry = Object.hasOwn(lock, name) ? lock[name] : undefined;
  if (entry === undefined || !existsSync(folder))
    return { problem: `The policy ${name} is not here yet. tenterhook update fetches it.` };
  try {
    if (policyHash(folder, inputs) === entry.sha256) return { folder };
  } catch (error) {
    return { problem: `The policy ${name} can't be used: ${errorMessage(error)}.` };
  }
  return {
    problem: `The files in ${folder} are not those of ${name} that policy.lock names: somebody changed them, or the lock. tenterhook update shows the difference, and fetches them again.`,
  };
}
