import { join } from "node:path";
import { isRecord, sameJson } from "../../core/json.ts";
import { configFolder } from "../../node/config-folder.ts";
import { stateFolder } from "../../node/state-folder.ts";
import { sha256 } from "../digest.ts";
import type { Places } from "../discover.ts";
import type { Warning } from "../problem.ts";
import type { ReadConfig } from "../read-config.ts";
import { readSealed, writeSealed } from "./sealed.ts";

/** A project and the files beside it that make its configuration. */
export type LastGoodPlaces = Pick<Places, "environment" | "managedFile"> & {
  /** The real path of the project, or of the working folder where there is none. */
  readonly root: string;
};

function fileOf({ root, environment, managedFile }: LastGoodPlaces): string {
  const key = sha256(JSON.stringify([root, configFolder(environment), managedFile ?? null])).slice(0, 32);
  return join(stateFolder(environment), "last-good", `${key}.json`);
}

/** What the files said when they could last be used. What of it is trusted is to be asked anew. Never throws. */
export function readLastGood(places: LastGoodPlaces): ReadConfig | undefined {
  const value = readSealed(fileOf(places));
  return isRead(value) ? value : undefined;
}

/**
 * Keeps what the files say, for the day they can't be used.
 *
 * @returns what is to be said when it can't be kept.
 */
export async function writeLastGood(places: LastGoodPlaces, read: ReadConfig): Promise<Warning | undefined> {
  const file = fileOf(places);
  try {
    if (!sameJson(readSealed(file), read)) await writeSealed(file, read);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const message = `This configuration can't be kept for the day its files can't be read (${code}); then gates will be closed.`;
    return { file, message };
  }
}

/** The seal says that this package wrote it, in this version; so the outline is enough. */
function isRead(value: unknown): value is ReadConfig {
  return isRecord(value) && typeof value.cwd === "string" && Array.isArray(value.layers);
}
