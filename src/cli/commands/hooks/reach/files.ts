import { readdirSync } from "node:fs";
import { join } from "node:path";
import { regularText } from "../../../../node/files/regular-file.ts";
import { PRODUCTION } from "../../../../rules/shell/programs/service-changes.ts";

/** Enough for a home or a project; more is not looked at, so that the answer comes at once. */
const MOST_ENTRIES = 400;
const MOST_BYTES = 1_000_000;

/** Folders that hold what tools make, and never what is looked for. */
const SKIPPED = new Set(["node_modules", ".git", "dist", "build", "target", "vendor", ".venv", "venv"]);

/** Files in `~/.ssh` that are not keys. A key can have any name. */
const NO_KEYS = /^(?:config|known_hosts.*|authorized_keys.*|environment|rc|agent.*|.*\.(?:pub|sock|log))$/;

/** What of these paths, which may end in a slash for a folder with something in it, is there. */
export function there(home: string, paths: string): readonly string[] {
  return paths.split(" ").flatMap((path) => {
    const file = join(home, path.replaceAll("+", " "));
    if (path.endsWith("/")) return entriesOf(file).length === 0 ? [] : [file.replace(/\/$/, "")];
    return entriesOf(join(file, "..")).some(({ name, isFile }) => isFile && file.endsWith(`/${name}`))
      ? [file]
      : [];
  });
}

/** The first file or folder in a folder, since nobody can read the folder itself; a file is its own. */
export function firstIn(path: string): string {
  return join(path, entriesOf(path)[0]?.name ?? "");
}

export function sshKeys(home: string): readonly string[] {
  const folder = join(home, ".ssh");
  return entriesOf(folder)
    .filter(({ name, isFile }) => isFile && !NO_KEYS.test(name))
    .map(({ name }) => join(folder, name));
}

/** The files of a project with such a name: in its folder, and in those directly below. */
export function inProject(folder: string, isWanted: (name: string) => boolean): readonly string[] {
  const entries = entriesOf(folder);
  const below = entries
    .filter(({ name, isFile }) => !isFile && !SKIPPED.has(name))
    .flatMap(({ name }) =>
      entriesOf(join(folder, name)).map((one) => ({ ...one, name: `${name}/${one.name}` })),
    );
  return [...entries, ...below]
    .filter(({ name, isFile }) => isFile && isWanted(name.slice(name.lastIndexOf("/") + 1)))
    .map(({ name }) => join(folder, name));
}

/** The names in a file that such an expression finds and that sound like production. Nothing else of it is kept. */
export function productionNames(file: string, name: RegExp): readonly string[] {
  const text = regularText(file, MOST_BYTES) ?? "";
  const found = [...text.matchAll(name)].map(([, one = ""]) => one.trim().replaceAll(/^["']|["']$/g, ""));
  return [...new Set(found)].filter((one) => PRODUCTION.test(one) && /^[\w.:/@-]+$/.test(one));
}

function entriesOf(folder: string): readonly { readonly name: string; readonly isFile: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, MOST_ENTRIES)
      .map((entry) => ({ name: entry.name, isFile: !entry.isDirectory() }));
  } catch {
    return [];
  }
}
