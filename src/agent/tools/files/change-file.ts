import { dirname } from "node:path";
import type { PreviewContext, ToolContext } from "../../../core/contracts/tool.ts";
import { makeFolders } from "../../../node/files/folders.ts";
import { systemCode } from "../../../node/system-code.ts";
import { failed } from "../input.ts";
import { noteWriter, withFileLock } from "./file-lock.ts";
import { decodeText, encodeText, wholeFile } from "./file-text.ts";
import { checkUnchanged, fingerprint, rememberFile } from "./known-files.ts";
import { openFile } from "./open-file.ts";
import { type FileBefore, replaceFile } from "./replace-file.ts";
import type { Place } from "./workspace.ts";

const NO_TEXT = { mark: "", text: "" } as const;

/** The text of a file after a change, and what else the change has to say. */
interface Changed {
  readonly text: string;
}

/**
 * Changes the text of a file, which keeps its byte order mark, mode and owner. Atomic.
 *
 * @throws TenterhookError `tool_failed` when it changed since the agent saw it, or can't be read or written as text.
 */
export function changeFile<Change extends Changed>(
  place: Place,
  context: ToolContext,
  change: (text: string, isNew: boolean) => Change,
  read: typeof existingFile = fileNow,
): Promise<Change> {
  return withFileLock(place, context, async () => {
    const before = await read(place, context);
    if (before !== undefined) checkUnchanged(place, before, context);
    const { mark, text } = before === undefined ? NO_TEXT : decodeText(before.bytes, place);
    const changed = change(text, before === undefined);
    await writeBytes(place, encodeText({ mark, text: changed.text }), before, context);
    return changed;
  });
}

/** Writes a file in place of the one that was there, or a new one with the folders it needs. */
export async function writeBytes(
  place: Place,
  bytes: Buffer,
  before: FileBefore | undefined,
  context: ToolContext,
): Promise<void> {
  if (before === undefined) makeFolderOf(place);
  await replaceFile(place, bytes, before, context);
  rememberFile(place, fingerprint(bytes), context);
  noteWriter(place, bytes, context);
}

/** The current file; `undefined` when it does not exist. */
export function existingFile(place: Place, context: PreviewContext): Promise<FileBefore | undefined> {
  return fileNow(place, context).catch((error: unknown) => {
    if (error instanceof Error && systemCode(error.cause) === "ENOENT") return undefined;
    throw error;
  });
}

/** @throws TenterhookError `tool_failed` when the file does not exist, with similar names. */
async function fileNow(place: Place, context: PreviewContext): Promise<FileBefore> {
  const handle = await openFile(place, context);
  try {
    return { bytes: await wholeFile(handle, place), stats: await handle.stat() };
  } finally {
    await handle.close();
  }
}

/** The difference that a change would make to a file, as a unified diff. */
export async function fileDifference(
  place: Place,
  context: PreviewContext,
  change: (text: string) => Changed,
): Promise<string> {
  const { unifiedDiff } = await import("../../../node/diff.ts");
  const before = await existingFile(place, context);
  const text = before === undefined ? "" : decodeText(before.bytes, place).text;
  const names = [before === undefined ? "/dev/null" : place.written, place.written] as const;
  return unifiedDiff(text, change(text).text, names).join("\n");
}

function makeFolderOf(place: Place): void {
  try {
    makeFolders(dirname(place.real), 0o777);
  } catch (error) {
    throw failed(`The folder of ${place.written} can't be made (${systemCode(error)}).`, error);
  }
}
