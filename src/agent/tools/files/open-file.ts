import { constants } from "node:fs";
import { type FileHandle, open, readdir, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { nearestNames } from "../../../core/base/suggest.ts";
import type { ToolContext } from "../../../core/contracts/tool.ts";
import { systemCode } from "../../../node/system-code.ts";
import { failed } from "../input.ts";
import { isInWorkspace, type Place } from "./workspace.ts";

// Windows has neither flag; there only the check before opening protects.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;
const FOLDER = constants.O_DIRECTORY ?? 0;

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

type Opening = Pick<ToolContext, "cwd" | "workspace" | "signal">;

/**
 * Opens a regular file for reading. Never waits for the other end of a pipe, and never follows a link that replaced the
 * file after it was checked.
 *
 * @throws TenterhookError `tool_failed` that says what is there instead.
 */
export async function openFile(place: Place, context: Opening): Promise<FileHandle> {
  context.signal.throwIfAborted();
  const handle = await opened(place, READ_AT_ONCE);
  try {
    await confirmPlace(handle, place, context);
    const stats = await handle.stat();
    if (stats.isDirectory()) throw failed(`${place.written} is a folder, not a file; use Glob to list it.`);
    if (!stats.isFile()) throw failed(`${place.written} is a device or a pipe, not a file.`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A folder that is held open, so that everything happens in this very folder. */
export interface OpenFolder {
  pathOf(name: string): string;
  close(): Promise<void>;
}

/** Opens a folder of the workspace. Without `/proc`, its paths are plain ones. */
export async function openFolder(place: Place, context: Opening): Promise<OpenFolder> {
  const handle = await opened(place, constants.O_RDONLY | NO_FOLLOW | FOLDER);
  try {
    const held = await confirmPlace(handle, place, context);
    const base = held ? descriptorPath(handle) : place.real;
    return { pathOf: (name) => join(base, name), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function opened(place: Place, flags: number): Promise<FileHandle> {
  try {
    return await open(place.real, flags);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") throw failed(await missingFile(place), error);
    throw failed(`${place.written} ${REASONS[code ?? ""] ?? `can't be opened (${code})`}.`, error);
  }
}

/**
 * Asks the system what was opened, because a parent folder may have become a link. Returns false when the system can't
 * tell.
 */
async function confirmPlace(handle: FileHandle, place: Place, context: Opening): Promise<boolean> {
  let actual: string;
  try {
    actual = await readlink(descriptorPath(handle));
  } catch {
    return false;
  }
  if (place.outside === true ? actual === place.real : isInWorkspace(actual, context)) return true;
  throw failed(`${place.written} leads out of the workspace, to ${actual}, since a moment ago.`);
}

function descriptorPath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
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
