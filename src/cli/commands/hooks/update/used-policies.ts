import { dirname } from "node:path";
import { discover } from "../../../../config/find/discover.ts";
import { Inputs } from "../../../../config/inputs/inputs.ts";
import { readConfigFile } from "../../../../config/parse/read-file.ts";
import { type PolicyAddress, policyAddress } from "../../../../config/policy/address.ts";
import { lockFile, policyFolder } from "../../../../config/policy/lock.ts";
import { isFileContent } from "../../../../config/schema/file.ts";
import { didYouMean } from "../../../../core/base/suggest.ts";
import { isWritable } from "../../../../node/files/is-writable.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";

export interface UsedPolicy {
  readonly configuration: string;
  readonly address: PolicyAddress;
  /** True when the file belongs to a project, so that what changes has to be trusted. */
  readonly needsTrust: boolean;
  /** The addresses of all policies in the same folder. */
  readonly together: readonly string[];
}

type Found = Omit<UsedPolicy, "together">;

/**
 * The policies that the files of all scopes name: all of them, or those that the person names.
 *
 * @throws TenterhookError `usage_error` for an address that no file names.
 */
export async function chosenPolicies(invocation: Invocation): Promise<readonly UsedPolicy[]> {
  const { names } = invocation;
  const found = await foundPolicies(invocation);
  const all = found.map((policy) => beside(policy, found));
  const known = all.map(({ address }) => address.text);
  for (const name of names)
    if (!known.includes(name))
      throw usageError(
        `No configuration file uses the policy ${JSON.stringify(name)}.${didYouMean(name, known)}`,
        "tenterhook update without a name updates all of them.",
      );
  return names.length === 0 ? all : all.filter(({ address }) => names.includes(address.text));
}

/** Policies that a file is about to name. @throws TenterhookError `usage_error`. */
export async function newPolicies(
  added: readonly Found[],
  invocation: Invocation,
): Promise<readonly UsedPolicy[]> {
  const found = [...(await foundPolicies(invocation)), ...added];
  return added.map((policy) => beside(policy, found));
}

async function foundPolicies({ cwd, environment, signal }: Invocation): Promise<readonly Found[]> {
  const { units } = await discover({ cwd, environment }, new Inputs());
  const found: Found[] = [];
  for (const { kind, sources } of units)
    for (const { file } of sources) {
      if (kind === "managed" && !isWritable(dirname(file))) continue;
      const { value } = await readConfigFile(file, signal);
      const used = isFileContent(value) ? (value.hooks?.use ?? []) : [];
      for (const item of used) {
        const address = policyAddress(typeof item === "string" ? item : item.pack);
        if (address !== undefined)
          found.push({ configuration: file, address, needsTrust: kind === "project" });
      }
    }
  return found;
}

/** A policy with the addresses that share a lock file with it. */
function beside(one: Found, found: readonly Found[]): UsedPolicy {
  const others = found.filter(({ configuration }) => lockFile(configuration) === lockFile(one.configuration));
  const folder = policyFolder(one.configuration, one.address);
  const twin = others.find(
    ({ configuration, address }) =>
      address.text !== one.address.text && policyFolder(configuration, address) === folder,
  );
  if (twin !== undefined)
    throw usageError(
      `${one.address.text} and ${twin.address.text} would be in the same folder, ${folder}.`,
      "Use one of them: a policy applies once, at one revision.",
    );
  return { ...one, together: others.map(({ address }) => address.text) };
}
