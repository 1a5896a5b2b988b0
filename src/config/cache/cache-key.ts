import { resolve } from "node:path";
import { configFolder, homeFolder, stateFolder } from "../../node/user-folders.ts";
import type { Places } from "../find/discover.ts";

/** Everything but files that a configuration depends on. */
export function questionOf({ cwd, project = cwd, environment, managedFile }: Places): readonly unknown[] {
  return [
    resolve(cwd),
    resolve(project),
    configFolder(environment),
    stateFolder(environment),
    managedFile ?? null,
    process.getuid?.() ?? null,
    homeFolder(),
  ];
}

/** A short name for a question. Another one may have the same: what is found by it must say which it answers. */
export function questionName(question: readonly unknown[]): string {
  const text = JSON.stringify(question);
  // Two sums of 32 bits, since loading Node's own digests takes longer than everything else here.
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) + at;
  }
  return [one, other].map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
}
