import type { OverwriteSource } from "../../core/contracts/overwrites.ts";
import { builtin } from "../builtin.ts";
import { mayContain } from "./archive.ts";
import { changedByGit } from "./git.ts";
import { changedByPatch } from "./patch.ts";

/**
 * Those of the wanted files that a source would change in a folder: the paths themselves, or paths below them.
 * `undefined` when that can't be known. All paths are absolute. Nothing of the source is run, and everything that is
 * read has a size limit.
 */
export function overwritten(
  source: OverwriteSource,
  into: string,
  wanted: readonly string[],
): readonly string[] | undefined {
  switch (source.kind) {
    case "anything":
      return wanted;
    case "copy":
      return changedByCopy(source.path, into, wanted);
    case "archive":
      return mayContain(source.path, into, wanted);
    case "patch":
      return changedByPatch(source, into, wanted);
    case "git":
      return changedByGit(source, into, wanted);
    default:
      return source satisfies never;
  }
}

function changedByCopy(path: string, into: string, wanted: readonly string[]): readonly string[] | undefined {
  const { fs, path: paths } = builtin;
  if (!fs.existsSync(path)) return undefined;
  return wanted.filter((file) => fs.existsSync(paths.join(path, paths.relative(into, file))));
}
