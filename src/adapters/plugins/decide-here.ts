import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** Decides like our program does, in this process; `undefined` when it can't. */
type Decide = (payload: string, environment: NodeJS.ProcessEnv) => Promise<string | undefined>;

let found: { readonly decide?: Decide } | undefined;

/**
 * The part of our program that can decide in this process, found next to the program. Returns `undefined` when
 * the file is missing or this runtime can't load it. Never throws.
 */
export function decideHere(program: string): Decide | undefined {
  found ??= load(program);
  return found.decide;
}

function load(program: string): { readonly decide?: Decide } {
  try {
    // The one that would be started, even if a later one could be loaded.
    const path = isAbsolute(program) ? program : placesOf(program).find((place) => existsSync(place));
    if (path === undefined) return {};
    const file = join(dirname(realpathSync(path)), "in-process.cjs");
    const { decideInProcess } = createRequire(import.meta.url)(file);
    return typeof decideInProcess === "function" ? { decide: decideInProcess } : {};
  } catch {
    return {};
  }
}

function placesOf(program: string): readonly string[] {
  return (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program));
}
