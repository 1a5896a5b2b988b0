import { dirname } from "node:path";
import type { Tool, ToolContext } from "../../core/contracts/tool.ts";
import { makeFolders } from "../../node/files/make-folders.ts";
import { systemCode } from "../../node/system-code.ts";
import { checkOthers, noteWriter, withFileLock } from "./files/file-lock.ts";
import { checkWellFormed, wholeFile } from "./files/file-text.ts";
import { checkUnchanged, fingerprint, rememberFile } from "./files/known-files.ts";
import { openFile } from "./files/open-file.ts";
import { type FileBefore, replaceFile } from "./files/replace-file.ts";
import { type Place, placeInWorkspace } from "./files/workspace.ts";
import { failed, inputSchema, textField, textOf } from "./input.ts";

const DESCRIPTION = `Writes a file of the workspace: creates it, with the folders it needs, or replaces all of its content.

- The content is written as given; a replaced file keeps its mode.
- Read an existing file before you replace it. If it changed since you read it, the call is refused: read it again.
- To change a part of a file, use Edit.`;

/** Creates or replaces a file atomically, and creates missing folders. */
export const writeTool: Tool = {
  name: "Write",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      file_path: textField("The file to write, absolute or from the working folder."),
      content: { type: "string", description: "The whole content of the file." },
    },
    ["file_path", "content"],
  ),
  annotations: { destructive: true, idempotent: true, edits_files: true },
  async run(input, context) {
    const place = placeInWorkspace(textOf(input, "file_path"), context);
    const text = textOf(input, "content");
    checkWellFormed(text, "content");
    const content = Buffer.from(text, "utf8");
    const created = await withFileLock(place, context, async () => {
      const before = await existing(place, context);
      if (before === undefined) makeFolderOf(place);
      else {
        checkUnchanged(place, before, context);
        checkOthers(place, before.bytes, context);
      }
      await replaceFile(place, content, before, context);
      rememberFile(place, fingerprint(content), context);
      noteWriter(place, content, context);
      return before === undefined;
    });
    return {
      content: `${created ? "Created" : "Replaced"} ${place.written} (${content.length} bytes).`,
      data: { file_path: place.real, type: created ? "create" : "update", bytes: content.length },
    };
  },
};

async function existing(place: Place, context: ToolContext): Promise<FileBefore | undefined> {
  const handle = await openFile(place, context).catch((error: unknown) => {
    if (error instanceof Error && systemCode(error.cause) === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    return { bytes: await wholeFile(handle, place), stats: await handle.stat() };
  } finally {
    await handle.close();
  }
}

function makeFolderOf(place: Place): void {
  try {
    makeFolders(dirname(place.real), 0o777);
  } catch (error) {
    throw failed(`The folder of ${place.written} can't be made (${systemCode(error)}).`, error);
  }
}
