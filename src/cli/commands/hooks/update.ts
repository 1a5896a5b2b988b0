import { existsSync } from "node:fs";
import { Inputs } from "../../../config/find/inputs.ts";
import type { PolicyAddress } from "../../../config/policy/address.ts";
import { lockFile, policyFolder, readLock } from "../../../config/policy/lock.ts";
import { policyHash } from "../../../config/policy/tree.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { counted, harmless, shortPath } from "../../command-line/screen/text.ts";
import { mustBePerson } from "../../command-line/started-by.ts";
import { type FetchedPolicy, withFetched } from "./update/fetch-policy.ts";
import { type FileChange, policyChanges } from "./update/policy-changes.ts";
import { replacePolicy } from "./update/replace-policy.ts";
import { chosenPolicies, type UsedPolicy } from "./update/used-policies.ts";

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
