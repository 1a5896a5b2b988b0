import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../core/base/json.ts";
import { nearestName } from "../../core/base/suggest.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Inspect } from "../parse/inspect.ts";
import { FORMATS } from "../parse/parse.ts";
import type { Problem, Warning } from "../parse/problem.ts";
import { systemReason } from "../parse/read-file.ts";

export interface Findings {
  readonly problems: Problem[];
  readonly warnings: Warning[];
  /** Everything that was looked at, also what does not exist. */
  readonly inputs: Inputs;
  readonly inspect?: Inspect;
}

/** The sorted names in a folder; none when it does not exist. */
export async function namesIn(folder: string, { problems, inputs }: Findings): Promise<readonly string[]> {
  inputs.see("folder", folder);
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const code = isRecord(error) ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    problems.push({ code: "config_unreadable", file: folder, message: systemReason(error) });
    return [];
  }
}

/** The file with this stem. Two files with the same stem are a problem. */
export function spelledFile(
  folder: string,
  names: readonly string[],
  stem: string,
  { problems }: Pick<Findings, "problems">,
): string | undefined {
  const found = spellings(stem).filter((name) => names.includes(name));
  if (found.length > 1) {
    problems.push({
      code: "config_invalid",
      file: folder,
      message: `${found.join(" and ")} both exist. Keep one of them.`,
    });
  }
  return found.length === 1 ? join(folder, found.join("")) : undefined;
}

/** Warns of files that look like a misspelt configuration. */
export function warnOfNearNames(
  folder: string,
  names: readonly string[],
  stems: readonly string[],
  { warnings }: Pick<Findings, "warnings">,
): void {
  const known = stems.flatMap(spellings);
  for (const name of names) {
    if (known.includes(name) || ![...FORMATS.keys()].some((suffix) => name.endsWith(suffix))) continue;
    const near = nearestName(name, known);
    if (near === undefined) continue;
    warnings.push({
      file: join(folder, name),
      message: `This file is not read. Did you mean ${JSON.stringify(near)}?`,
    });
  }
}

function spellings(stem: string): readonly string[] {
  return [...FORMATS.keys()].map((suffix) => `${stem}${suffix}`);
}

export async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  const status = await stat(path).catch(() => undefined);
  return status === undefined ? undefined : status.isDirectory() ? "folder" : "file";
}
