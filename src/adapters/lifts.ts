import { readdirSync } from "node:fs";
import { join } from "node:path";
import { regularText } from "../node/files/regular-file.ts";
import type { Lift } from "./integration.ts";
import { lineOf, type SettingsPath, type SettingsText, valueAt } from "./settings/json-edit.ts";

/** A file of others. What can't be read, or is no JSON, has no values. */
export interface ReadFile {
  readonly file: string;
  readonly text: SettingsText;
  value(path: SettingsPath): unknown;
  /** Says something about a value in it. */
  lift(path: SettingsPath, what: string, way_out: string): Lift;
}

const MOST_BYTES = 10_000_000;

export function readFile(file: string): ReadFile {
  const text = regularText(file, MOST_BYTES);
  return {
    file,
    text,
    value: (path) => {
      try {
        return valueAt(text, path);
      } catch {
        return undefined;
      }
    },
    lift: (path, what, way_out) => ({ what, where: file, line: lineIn(text ?? "", path), way_out }),
  };
}

/** The line of a value; in a text that is no JSON, of the first line that names its key. */
export function lineIn(text: string, path: SettingsPath): number {
  try {
    return lineOf(text, path);
  } catch {
    const key = String(path.at(-1));
    return text.split("\n").findIndex((line) => line.includes(key)) + 1 || 1;
  }
}

/** The paths of what is in a folder, by name; nothing when there is none. */
export function pathsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export function isOn(value: unknown): boolean {
  return typeof value === "string" && !["", "0", "false", "no", "off"].includes(value.trim().toLowerCase());
}
