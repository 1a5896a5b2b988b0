import type { ShellReach } from "../analysis.ts";
import { joinPath } from "../behaviours/paths.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { shown } from "../words/partly-known-text.ts";
import { byProgram } from "./by-program.ts";
import type { Invocation } from "./invocation.ts";
import { excluded, reach } from "./reach-parts.ts";
import { REACH_TABLE } from "./reach-table.ts";
import { SAME_OPTIONS } from "./same-options.ts";

const NONE: readonly ShellReach[] = [];

/** Everything a command reaches beside the files it touches by name; `undefined` for nothing. */
export function reachesOf(
  subject: Invocation,
  code: CodeFindings | undefined,
): readonly ShellReach[] | undefined {
  const { reacher } = reacherOf(subject.name);
  if (reacher === undefined && code === undefined && subject.touches.uploads.length === 0) return undefined;
  const found = [...(reacher?.(subject) ?? NONE), ...sent(subject), ...inCode(subject, code)];
  if (found.length === 0) return undefined;
  return found.map(({ access, path, except, certain }) => ({ access, path: shown(path), except, certain }));
}

const reacherOf = byProgram((program) => {
  const name = Object.hasOwn(SAME_OPTIONS, program) ? (SAME_OPTIONS[program] ?? program) : program;
  return { reacher: Object.hasOwn(REACH_TABLE, name) ? REACH_TABLE[name] : undefined };
});

/** Who sends a folder sends what is in it. */
function sent(subject: Invocation): readonly ShellReach[] {
  const { uploads } = subject.touches;
  return uploads.length === 0 ? NONE : reach("reads", uploads, { except: excluded(subject) });
}

/** Code may read every file that its strings name, and write each of them when it writes at all. */
function inCode({ folder }: Invocation, code: CodeFindings | undefined): readonly ShellReach[] {
  if (code === undefined) return NONE;
  const paths = code.named.map((name) => joinPath(folder, name));
  const some = { certain: false };
  return [...reach("reads", paths, some), ...(code.writes ? reach("writes", paths, some) : [])];
}
