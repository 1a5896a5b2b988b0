import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { nearestName } from "../../core/base/suggest.ts";
import type { Place } from "./workspace.ts";

const MOST_NAMES = 3;
const MOST_ENTRIES = 10_000;

/** Says that a file does not exist, with the names in its folder that are nearest to the one asked for. */
export async function missingFile(place: Place): Promise<string> {
  const missing = `${place.written} does not exist`;
  const folder = dirname(place.real);
  let names: readonly string[];
  try {
    names = (await readdir(folder)).slice(0, MOST_ENTRIES);
  } catch {
    return `${missing}; neither does its folder.`;
  }
  const near = nearestNames(basename(place.real), names);
  if (near.length === 0) return `${missing}.`;
  return `${missing}. Its folder has ${near.map((name) => JSON.stringify(name)).join(", ")}.`;
}

/** The nearest first; the name with another ending counts as near as well. */
function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const left = new Set(names);
  const near: string[] = [];
  while (near.length < MOST_NAMES) {
    const name = nearestName(wanted, left);
    if (name === undefined) break;
    near.push(name);
    left.delete(name);
  }
  const stem = wanted.replace(/\.[^.]*$/, "");
  const same = [...left].filter((name) => name.replace(/\.[^.]*$/, "") === stem);
  return [...near, ...same].slice(0, MOST_NAMES);
}
