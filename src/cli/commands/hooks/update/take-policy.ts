import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Inputs } from "../../../../config/inputs/inputs.ts";
import type { PolicyAddress } from "../../../../config/policy/address.ts";
import {
  type LockedPolicy,
  lockFile,
  lockText,
  policyFolder,
  readLock,
} from "../../../../config/policy/lock.ts";
import { policyFiles, policyHash } from "../../../../config/policy/tree.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { unifiedDiff } from "../../../../node/diff.ts";
import { writeAtomically } from "../../../../node/files/atomic-write.ts";
import { makeFolders } from "../../../../node/files/folders.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { mustBePerson } from "../../../command-line/person.ts";
import { progress } from "../../../command-line/screen/progress.ts";
import { bold, counted, dim, green, harmless, red, shortPath } from "../../../command-line/screen/text.ts";
import { type FetchedPolicy, withFetched } from "./fetch-policy.ts";
import type { UsedPolicy } from "./used-policies.ts";

export interface Taken {
  readonly policy: string;
  readonly file: string;
  readonly result: "up_to_date" | "updated" | "available" | "left";
  readonly from?: string;
  readonly to: string;
  readonly changes: readonly Pick<FileChange, "path" | "change">[];
}

/**
 * Fetches a policy, shows how it differs from the files that are here, asks, and puts its files and their hash beside the
 * configuration.
 *
 * @throws TenterhookError `policy_unavailable`, and `confirmation_needed` when nobody can be asked.
 */
export async function takePolicy(policy: UsedPolicy, invocation: Invocation): Promise<Taken> {
  const stop = progress(invocation.screen, `fetching ${policy.address.text}`);
  return withFetched(policy.address, invocation, (fetched) => {
    stop();
    return take(policy, fetched, invocation);
  }).finally(stop);
}

async function take(policy: UsedPolicy, fetched: FetchedPolicy, invocation: Invocation): Promise<Taken> {
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
  if (!json) screen.print(...changeLines(base, changes, isCurrent, cwd));
  if (isCurrent) return { ...base, result: "up_to_date" };
  if (flagOption(invocation, "check")) return { ...base, result: "available" };
  const isAgreed = await mayGoOn(
    "Take these changes?",
    invocation,
    `${address.text} would change ${counted(changes.length, "file")} in ${shortPath(folder, cwd)}, and nobody can be asked.`,
    "--yes takes the changes; tenterhook update --check only shows them.",
  );
  if (!isAgreed) return { ...base, result: "left" };
  await mustBePerson(invocation);
  await replacePolicy(policy, fetched.folder, { resolved: fetched.resolved, sha256 });
  if (!json) screen.print(green(`  ${address.text} is now ${shortRevision(fetched.resolved)}.`));
  return { ...base, result: "updated" };
}

function hashOf(folder: string, { text }: PolicyAddress): string {
  try {
    return policyHash(folder, new Inputs());
  } catch (error) {
    throw new TenterhookError("policy_unavailable", `${text} can't be used: ${errorMessage(error)}.`);
  }
}

function changeLines(
  { policy, from, to, file }: Omit<Taken, "result">,
  changes: readonly FileChange[],
  isCurrent: boolean,
  cwd: string,
): readonly string[] {
  const step = from === undefined ? shortRevision(to) : `${shortRevision(from)} → ${shortRevision(to)}`;
  const state = isCurrent ? `${shortRevision(to)}, up to date` : step;
  return [
    `${bold(policy)}  ${state}  ${dim(shortPath(file, cwd))}`,
    ...changes.flatMap(({ path, change, lines }) => [
      `  ${change} ${harmless(path)}`,
      ...lines.map((line) => {
        const text = `    ${harmless(line)}`;
        return line.startsWith("+") ? green(text) : line.startsWith("-") ? red(text) : text;
      }),
    ]),
  ];
}

/** A commit as people write it. */
function shortRevision(resolved: string): string {
  return /^[0-9a-f]{40}$/.test(resolved) ? resolved.slice(0, 10) : resolved;
}

interface FileChange {
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly lines: readonly string[];
}

/** What is different in the new files of a policy. An old folder with links in it counts as empty. */
function policyChanges(before: string, after: string): readonly FileChange[] {
  const old = existsSync(before) ? filesIn(before) : [];
  const fresh = policyFiles(after).map(({ path }) => path);
  return [...new Set([...old, ...fresh])].sort().flatMap((path) => {
    const was = old.includes(path) ? readFileSync(join(before, path), "utf8") : undefined;
    const is = fresh.includes(path) ? readFileSync(join(after, path), "utf8") : undefined;
    if (was === is) return [];
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ path, change, lines: unifiedDiff(was ?? "", is ?? "", [path, path]).slice(2) }];
  });
}

function filesIn(folder: string): readonly string[] {
  try {
    return policyFiles(folder).map(({ path }) => path);
  } catch {
    return [];
  }
}

/** Git must not change the ends of lines, on which the hash depends. */
const ATTRIBUTES = "* -text\n";

/**
 * Puts the fetched files beside the configuration, and their hash into its lock file, which forgets addresses that are no
 * longer used. A call that is decided between the two finds files that the lock does not name, and is refused.
 */
async function replacePolicy(
  { configuration, address, together }: UsedPolicy,
  fetched: string,
  entry: LockedPolicy,
): Promise<void> {
  const folder = policyFolder(configuration, address);
  makeFolders(dirname(folder), 0o777);
  writeFileSync(join(dirname(folder), ".gitattributes"), ATTRIBUTES);
  const next = join(dirname(folder), `.next-${process.pid}`);
  const old = join(dirname(folder), `.old-${process.pid}`);
  try {
    cpSync(fetched, next, { recursive: true, verbatimSymlinks: true });
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) renameSync(folder, old);
    renameSync(next, folder);
  } finally {
    for (const left of [next, old]) rmSync(left, { recursive: true, force: true, maxRetries: 5 });
  }
  const file = lockFile(configuration);
  const before = Object.entries(readLock(file) ?? {}).filter(([text]) => together.includes(text));
  const lock = { ...Object.fromEntries(before), [address.text]: entry };
  await writeAtomically(file, lockText(lock), { keep: true, mode: 0o644 });
}
