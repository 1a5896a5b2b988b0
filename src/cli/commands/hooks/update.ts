import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { discover } from "../../../config/find/discover.ts";
import { Inputs } from "../../../config/find/inputs.ts";
import { readConfigFile } from "../../../config/parse/read-file.ts";
import { type PolicyAddress, policyAddress } from "../../../config/policy/address.ts";
import { lockFile, policyFolder, readLock } from "../../../config/policy/lock.ts";
import { policyHash } from "../../../config/policy/tree.ts";
import { isFileContent } from "../../../config/schema/file.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { didYouMean } from "../../../core/base/suggest.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { counted, harmless, shortPath } from "../../command-line/screen/text.ts";
import { mustBePerson } from "../../command-line/started-by.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { type FetchedPolicy, withFetched } from "./update/fetch-policy.ts";
import { type FileChange, policyChanges } from "./update/policy-changes.ts";
import { replacePolicy } from "./update/replace-policy.ts";

/** A policy that a configuration file uses. */
interface UsedPolicy {
  readonly configuration: string;
  readonly address: PolicyAddress;
  /** True when the file belongs to a project, so that what changes has to be trusted. */
  readonly needsTrust: boolean;
  /** The addresses of all policies in the same folder. */
  readonly together: readonly string[];
}

/** What an update did, or would do. */
interface Updated {
  readonly policy: string;
  readonly file: string;
  readonly result: "up_to_date" | "updated" | "available" | "left";
  readonly from?: string;
  readonly to: string;
  readonly changes: readonly Pick<FileChange, "path" | "change">[];
}

export const run: CommandRun = async (invocation) => {
  const { screen, json } = invocation;
  const policies = await chosenPolicies(invocation);
  if (policies.length === 0 && !json)
    screen.print(
      "No policy is used here. Name one in a configuration file: hooks.use: [git+https://host/team/policy.git#v3], or npm:NAME@VERSION.",
    );
  const done: Updated[] = [];
  for (const policy of policies) {
    const stop = progress(screen, `fetching ${policy.address.text}`);
    const updated = await withFetched(policy.address, invocation, (fetched) => {
      stop();
      return update(policy, fetched, invocation);
    }).finally(stop);
    done.push(updated);
  }
  if (json) screen.json({ policies: done });
  else if (done.some(({ result }, at) => result === "updated" && policies[at]?.needsTrust === true))
    screen.print("  tenterhook trust   lets the changed policy take effect in this project");
  const isOpen = done.some(({ result }) => result === "available" || result === "left");
  return isOpen ? 1 : undefined;
};

async function update(policy: UsedPolicy, fetched: FetchedPolicy, invocation: Invocation): Promise<Updated> {
  const { screen, json, cwd } = invocation;
  const { configuration, address } = policy;
  const folder = policyFolder(configuration, address);
  const locked = readLock(lockFile(configuration))?.[address.text];
  const sha256 = hashOf(fetched.folder, address);
  if (locked?.resolved === fetched.resolved && locked.sha256 !== sha256)
    throw new TenterhookError(
      "policy_unavailable",
      `${address.text} leads to ${fetched.resolved}, which policy.lock names, but to other files than it had then. Nothing was changed.`,
      {
        hint: "A revision never changes its files: ask who serves it. To accept them, delete its entry in policy.lock.",
      },
    );
  const changes = policyChanges(folder, fetched.folder);
  const base = {
    policy: address.text,
    file: configuration,
    ...(locked === undefined ? {} : { from: locked.resolved }),
    to: fetched.resolved,
    changes: changes.map(({ path, change }) => ({ path, change })),
  };
  const isCurrent = locked?.sha256 === sha256 && changes.length === 0 && existsSync(folder);
  if (!json) showChanges(base, changes, isCurrent, invocation);
  if (isCurrent) return { ...base, result: "up_to_date" };
  if (flagOption(invocation, "check")) return { ...base, result: "available" };
  const yes = flagOption(invocation, "yes");
  if (!yes && (json || !screen.interactive))
    throw new TenterhookError(
      "confirmation_needed",
      `${address.text} would change ${counted(changes.length, "file")} in ${shortPath(folder, cwd)}, and nobody can be asked.`,
      { hint: "tenterhook update --yes takes the changes; --check only shows them." },
    );
  if (!yes && !(await confirm("Take these changes?", invocation))) return { ...base, result: "left" };
  await mustBePerson(invocation);
  await replacePolicy(
    configuration,
    address,
    fetched.folder,
    { resolved: fetched.resolved, sha256 },
    policy.together,
  );
  if (!json) screen.print(screen.paint.green(`  ${address.text} is now ${shortRevision(fetched.resolved)}.`));
  return { ...base, result: "updated" };
}

function hashOf(folder: string, { text }: PolicyAddress): string {
  try {
    return policyHash(folder, new Inputs());
  } catch (error) {
    throw new TenterhookError("policy_unavailable", `${text} can't be used: ${errorMessage(error)}.`);
  }
}

function showChanges(
  { policy, from, to, file }: Omit<Updated, "result">,
  changes: readonly FileChange[],
  isCurrent: boolean,
  { screen, cwd }: Invocation,
): void {
  const { paint } = screen;
  const step = from === undefined ? shortRevision(to) : `${shortRevision(from)} → ${shortRevision(to)}`;
  screen.print(
    `${paint.bold(policy)}  ${isCurrent ? `${shortRevision(to)}, up to date` : step}  ${paint.dim(shortPath(file, cwd))}`,
  );
  for (const { path, change, lines } of changes) {
    screen.print(`  ${change} ${harmless(path)}`);
    for (const line of lines) {
      const text = `    ${harmless(line)}`;
      screen.print(line.startsWith("+") ? paint.green(text) : line.startsWith("-") ? paint.red(text) : text);
    }
  }
}

/** A commit as people write it. */
function shortRevision(resolved: string): string {
  return /^[0-9a-f]{40}$/.test(resolved) ? resolved.slice(0, 10) : resolved;
}

/**
 * The policies that the files of all scopes name: all of them, or those that the person names.
 *
 * @throws TenterhookError `usage_error` for an address that no file names.
 */
async function chosenPolicies(invocation: Invocation): Promise<readonly UsedPolicy[]> {
  const { names, cwd, environment, signal } = invocation;
  const { units } = await discover({ cwd, environment }, new Inputs());
  const found: Omit<UsedPolicy, "together">[] = [];
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
  const all = found.map((policy) => ({ ...policy, together: together(policy, found) }));
  const known = all.map(({ address }) => address.text);
  for (const name of names)
    if (!known.includes(name))
      throw usageError(
        `No configuration file uses the policy ${JSON.stringify(name)}.${didYouMean(name, known)}`,
        "tenterhook update without a name updates all of them.",
      );
  return names.length === 0 ? all : all.filter(({ address }) => names.includes(address.text));
}

type Found = Pick<UsedPolicy, "configuration" | "address">;

/**
 * The addresses that share a lock file with this one.
 *
 * @throws TenterhookError `usage_error` when two of them have the same folder.
 */
function together(one: Found, found: readonly Found[]): readonly string[] {
  const beside = found.filter(({ configuration }) => lockFile(configuration) === lockFile(one.configuration));
  const folder = policyFolder(one.configuration, one.address);
  const twin = beside.find(
    ({ configuration, address }) =>
      address.text !== one.address.text && policyFolder(configuration, address) === folder,
  );
  if (twin !== undefined)
    throw usageError(
      `${one.address.text} and ${twin.address.text} would be in the same folder, ${folder}.`,
      "Use one of them: the same policy counts once, at one revision.",
    );
  return beside.map(({ address }) => address.text);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
