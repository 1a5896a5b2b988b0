import { cpSync, statSync } from "node:fs";
import { orElse } from "../../install/settings-files.ts";

const MOST_BYTES = 1_000_000;

/** True for a file of scripts: none that is large, and no packages. */
function isScript(path: string): boolean {
  return !path.includes("node_modules") && (statSync(path).isDirectory() || statSync(path).size < MOST_BYTES);
}

/** Copies what a folder has, not as links; by default only scripts. */
export function copyFolder(source: string, target: string, isCopied = isScript): void {
  cpSync(source, target, {
    recursive: true,
    dereference: true,
    filter: (path) => orElse(false, () => isCopied(path)),
  });
}
