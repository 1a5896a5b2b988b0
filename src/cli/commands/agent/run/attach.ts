import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { ContentPart } from "../../../../agent.ts";
import { mediaTypeOf } from "../../../../shared/contracts/media-type.ts";
import { MOST_FILE_BYTES } from "../../../../shared/contracts/read-content.ts";

/** Does not wait for a pipe. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads files as parts of a prompt.
 *
 * @param refuse makes the error of a file that can't be attached.
 */
export function attachedFiles(
  names: readonly string[],
  folder: string,
  refuse: (message: string) => Error,
): Promise<readonly ContentPart[]> {
  return Promise.all(names.map((name) => attachedFile(name, resolve(folder, name), refuse)));
}

async function attachedFile(
  name: string,
  path: string,
  refuse: (message: string) => Error,
): Promise<ContentPart> {
  const handle = await open(path, AT_ONCE).catch(() => undefined);
  try {
    const stats = await handle?.stat();
    if (handle === undefined || stats?.isFile() !== true) throw refuse(`--attach: there is no file ${path}.`);
    if (stats.size > MOST_FILE_BYTES)
      throw refuse(`--attach: ${name} has ${stats.size} bytes; at most ${MOST_FILE_BYTES} are sent.`);
    const data = await handle.readFile();
    const media_type = mediaTypeOf(data) ?? (isText(data) ? "text/plain" : undefined);
    if (media_type === undefined)
      throw refuse(`--attach: ${name} is neither text nor an image, a PDF document or sound.`);
    return { type: "file", data, media_type, filename: basename(path) };
  } finally {
    await handle?.close();
  }
}

function isText(data: Uint8Array): boolean {
  if (data.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(data);
    return true;
  } catch {
    return false;
  }
}
