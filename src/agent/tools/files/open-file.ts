import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { nearestNames } from "../../../core/base/suggest.ts";
import type { ToolContext } from "../../../core/contracts/tool.ts";
import { systemCode } from "../../../node/system-code.ts";
import { failed } from "../input.ts";
import type { Place } from "./workspace.ts";

// Windows has neither flag; there only the check before opening protects.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** Opens for reading without following a link and without waiting for a pipe. */
export const READ_AT_ONCE = constants.O_RDONLY | NO_FOLLOW | NO_WAIT;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "can't be opened: permission denied",
  EPERM: "can't be opened: not permitted",
  EISDIR: "is a folder, not a file",
  ENOTDIR: "can't be reached: a part of the path is a file, not a folder",
  ELOOP: "is a symbolic link that leads in a circle, or became a link while it was opened",
  ENAMETOOLONG: "has a name that is too long",
  ENXIO: "is a socket or a pipe, not a file",
};

/**
 * Opens a regular file for reading. Never waits for the other end of a pipe, and never follows a link that replaced the
 * file after it was checked.
 *
 * @throws TenterhookError `tool_failed` that says what is there instead.
 */
export async function openFile(place: Place, { signal }: Pick<ToolContext, "signal">): Promise<FileHandle> {
  signal.throwIfAborted();
  const handle = await opened(place);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw failed(`${place.written} is a folder, not a file; use Glob to list it.`);
    if (!stats.isFile()) throw failed(`${place.written} is a device or a pipe, not a file.`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function opened(place: Place): Promise<FileHandle> {
  try {
    return await open(place.real, READ_AT_ONCE);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") throw failed(await missingFile(place), error);
    throw failed(`${place.written} ${REASONS[code ?? ""] ?? `can't be opened (${code})`}.`, error);
  }
}

const MOST_NAMES = 3;
const MOST_ENTRIES = 10_000;

/** A message that the file does not exist, with the nearest names in its folder. */
export async function missingFile(place: Place): Promise<string> {
  const missing = `${place.written} does not exist`;
  const folder = dirname(place.real);
  let names: readonly string[];
  try {
    names = (await readdir(folder)).slice(0, MOST_ENTRIES);
  } catch {
    return `${missing}; neither does its folder.`;
  }
  const wanted = basename(place.real);
  const withoutExtension = (name: string): string => name.replace(/\.[^.]*$/, "");
  // The same name with another extension is near, too.
  const same = names.filter((name) => withoutExtension(name) === withoutExtension(wanted));
  const near = [...new Set([...nearestNames(wanted, names, MOST_NAMES), ...same])].slice(0, MOST_NAMES);
  if (near.length === 0) return `${missing}.`;
  return `${missing}. Its folder has ${near.map((name) => JSON.stringify(name)).join(", ")}.`;
}
