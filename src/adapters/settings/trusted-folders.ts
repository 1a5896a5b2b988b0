import { isInside, realPath } from "../../node/files/real-path.ts";
import { regularText } from "../../node/files/regular-file.ts";
import { type SettingsPath, valueAt } from "./json-edit.ts";

const MOST_BYTES = 1_000_000;

/** Why an agent starts no hook in a folder; `undefined` where the deepest record of it or of a folder around it trusts. */
export function untrustedFolder(
  root: string,
  recorded: readonly (readonly [folder: string, trusted: boolean])[],
): string | undefined {
  const project = realPath(root) ?? root;
  const [deepest] = recorded
    .map(([folder, trusted]) => ({ folder: realPath(folder) ?? folder, trusted }))
    .filter(({ folder }) => isInside(project, folder))
    .toSorted((one, other) => other.folder.length - one.folder.length);
  return deepest?.trusted === true
    ? undefined
    : "starts no hook here until you start it once and trust the folder";
}

/** A value of an agent's record; `undefined` in one that can't be read: the agent asks then. */
export function recordedAt(file: string, path: SettingsPath): unknown {
  try {
    return valueAt(regularText(file, MOST_BYTES), path);
  } catch {
    return undefined;
  }
}
