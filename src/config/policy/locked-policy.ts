import { existsSync } from "node:fs";
import { errorMessage } from "../../core/base/error-text.ts";
import type { Inputs } from "../find/inputs.ts";
import { policyAddress } from "./address.ts";
import { lockFile, policyFolder, readLock } from "./lock.ts";
import { policyHash } from "./tree.ts";

export type FoundPolicy = { readonly folder: string } | { readonly problem: string };

/**
 * Finds the files of a policy that `use` names by its address: they were fetched once and are beside the configuration
 * file. They count only as the lock file knows them; nothing is fetched here.
 */
export function lockedPolicy(name: string, configuration: string, inputs: Inputs): FoundPolicy {
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
