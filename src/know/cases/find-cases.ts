import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { TenterhookError } from "../../core/base/errors.ts";

const IS_CASES = /\.ya?ml$/;

/** The files with cases beside the files of a configuration: in the folder `tests` of each. */
export async function findCaseFiles({ files }: Pick<Config, "files">): Promise<readonly string[]> {
  const folders = new Set(files.map(({ file }) => join(dirname(file), "tests")));
  const found = await Promise.all([...folders].map((folder) => filesIn(folder).catch(() => [])));
  return found.flat();
}

/**
 * The files that people name: files, and folders with files.
 *
 * @throws TenterhookError `usage_error` for a name that leads nowhere.
 */
export async function namedCaseFiles(names: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const path = resolve(cwd, name);
      const info = await stat(path).catch(() => undefined);
      if (info === undefined) throw new TenterhookError("usage_error", `There is no file or folder ${name}.`);
      return info.isDirectory() ? filesIn(path) : [path];
    }),
  );
  return found.flat();
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => IS_CASES.test(name))
    .sort()
    .map((name) => join(folder, name));
}
