import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../inputs/digest.ts";
import type { Inputs } from "../inputs/inputs.ts";

/** A policy is rules and small scripts. */
const MOST_FILES = 500;
const MOST_BYTES = 10_000_000;

export interface PolicyFile {
  /** From the policy's folder, with `/` between its parts. */
  readonly path: string;
  readonly size: number;
}

/**
 * The files of a policy's folder in order.
 *
 * @throws Error when something in it is neither a file nor a folder, or when it is too large.
 */
export function policyFiles(folder: string): readonly PolicyFile[] {
  const found: PolicyFile[] = [];
  const walk = (below: string): void => {
    for (const name of readdirSync(join(folder, below)).sort()) {
      const path = below === "" ? name : `${below}/${name}`;
      const status = lstatSync(join(folder, path));
      if (status.isDirectory()) walk(path);
      else if (status.isFile()) found.push({ path, size: status.size });
      else throw new Error(`${path} is neither a file nor a folder, and a policy may have nothing else`);
      if (found.length > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
    }
  };
  if (!lstatSync(folder).isDirectory()) throw new Error("its folder is a link");
  walk("");
  if (found.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES)
    throw new Error(`it has more than ${MOST_BYTES / 1_000_000} MB`);
  return found;
}

/**
 * The hash of a policy: changes with the name and the content of every file, and is the same on every machine. What it
 * depends on is seen as an input.
 *
 * @throws Error as `policyFiles` does.
 */
export function policyHash(folder: string, inputs: Inputs): string {
  const files = policyFiles(folder);
  const folders = new Set([folder, ...files.flatMap(({ path }) => foldersOf(folder, path))]);
  for (const one of folders) inputs.see("folder", one);
  return sha256(
    JSON.stringify(
      files.map(({ path }) => {
        // Behind the digest is where links lead that are above the folder.
        const [digest] = inputs.see("file", join(folder, path)).value.split(" ");
        return [path, digest];
      }),
    ),
  );
}

function foldersOf(folder: string, path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => join(folder, ...parts.slice(0, at + 1)));
}
