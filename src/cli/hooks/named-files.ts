import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ConfigDefinition } from "../../config.ts";
import { isRecord } from "../../core/json.ts";

/** A file that a definition names. */
export interface NamedFile {
  readonly file: string;
  readonly there: boolean;
}

/** The scripts and modules a definition names, those inside a composition too. */
export function namedFiles({ definition, root }: ConfigDefinition): readonly NamedFile[] {
  return filesOf(definition).map((name) => {
    const file = resolve(root, name);
    return { file, there: existsSync(file) };
  });
}

function filesOf(handler: unknown): readonly string[] {
  if (Array.isArray(handler)) return handler.flatMap(filesOf);
  if (!isRecord(handler)) return [];
  const own = [handler.script, handler.module].filter((name) => typeof name === "string");
  return [...own, ...[handler.all, handler.any, handler.first].flatMap(filesOf)];
}
