import type { ShellReach } from "../analysis.ts";
import { joinPath } from "../behaviours/paths.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { shown } from "../words/partly-known-text.ts";
import type { Invocation } from "./program-row.ts";
import type { Program } from "./programs.ts";
import { excluded, reach } from "./row-parts.ts";

const NONE: readonly ShellReach[] = [];

/** Everything a command reaches beside the files it touches by name; `undefined` for nothing. */
export function reachesOf(
  { reach: reacher }: Program,
  invocation: Invocation,
  code: CodeFindings | undefined,
): readonly ShellReach[] | undefined {
  if (reacher === undefined && code === undefined && invocation.touches.uploads.length === 0)
    return undefined;
  const found = [...(reacher?.(invocation) ?? NONE), ...sent(invocation), ...inCode(invocation, code)];
  if (found.length === 0) return undefined;
  return found.map(({ access, path, except, certain }) => ({ access, path: shown(path), except, certain }));
}

/** Who sends a folder sends what is in it. */
function sent(invocation: Invocation): readonly ShellReach[] {
  const { uploads } = invocation.touches;
  return uploads.length === 0 ? NONE : reach("reads", uploads, { except: excluded(invocation) });
}

/** Code may read every file that its strings name, and write each of them when it writes at all. */
function inCode({ folder }: Invocation, code: CodeFindings | undefined): readonly ShellReach[] {
  if (code === undefined) return NONE;
  const paths = code.named.map((name) => joinPath(folder, name));
  const some = { certain: false };
  return [...reach("reads", paths, some), ...(code.writes ? reach("writes", paths, some) : [])];
}
