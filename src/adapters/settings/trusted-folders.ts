import { isInside, realPath } from "../../node/files/real-path.ts";
import { regularText } from "../../node/files/regular-file.ts";
import type { SettingsText } from "./json-edit.ts";

const MOST_BYTES = 1_000_000;

/** The order for a project in a folder that an agent does not trust yet; `undefined` for one it trusts, as its record says. */
export function toTrust(
  root: string,
  file: string,
  foldersIn: (record: SettingsText) => readonly string[],
): string | undefined {
  const project = realPath(root) ?? root;
  return trustedIn(file, foldersIn).some((folder) => isInside(project, realPath(folder) ?? folder))
    ? undefined
    : "start it here once and trust the folder";
}

/** None in a record that can't be read: the agent asks then. */
function trustedIn(file: string, foldersIn: (record: SettingsText) => readonly string[]): readonly string[] {
  try {
    return foldersIn(regularText(file, MOST_BYTES));
  } catch {
    return [];
  }
}
