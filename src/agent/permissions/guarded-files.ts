import type { PathNormaliser } from "../../core/match/paths.ts";
import {
  AGENT_FOLDERS,
  LOGIN_FILES,
  OWN_FOLDERS,
  PROGRAM_FILES,
  TOOL_FOLDERS,
} from "../../core/match/protected-files.ts";

const FOLDERS = anyOf([...OWN_FOLDERS, ...AGENT_FOLDERS, ...TOOL_FOLDERS]);
const GUARDED = new RegExp(
  `(?:^|/)${FOLDERS}(?:/|$)|(?:^|/)${anyOf([...PROGRAM_FILES, ...LOGIN_FILES])}$`,
  "i",
);

function anyOf(names: readonly string[]): string {
  return `(?:${names.join("|").replaceAll(".", "\\.")})`;
}

/** True for a file that needs a question even where edits are accepted, however its path is read. */
export function isGuarded(path: string, cwd: string, paths: PathNormaliser): boolean {
  return paths.spellings(path, cwd).some((spelling) => GUARDED.test(spelling));
}
