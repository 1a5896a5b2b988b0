import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { policyFiles } from "../../../../config/policy/tree.ts";
import { unifiedDiff } from "../../../../node/diff.ts";

/** How a file of a policy changes. */
export interface FileChange {
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  /** A unified difference. */
  readonly lines: readonly string[];
}

/** What is different in the new files of a policy. An old folder with links in it counts as empty. */
export function policyChanges(before: string, after: string): readonly FileChange[] {
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
