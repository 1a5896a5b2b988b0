import type { Tool } from "../../core/contracts/tool.ts";
import { existingFile, fileDifference, writeBytes } from "./files/change-file.ts";
import { checkOthers, withFileLock } from "./files/file-lock.ts";
import { checkWellFormed } from "./files/file-text.ts";
import { checkUnchanged } from "./files/known-files.ts";
import { placeInWorkspace } from "./files/workspace.ts";
import { inputSchema, textField, textOf } from "./input.ts";

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
  preview(input, context) {
    const place = placeInWorkspace(textOf(input, "file_path"), context);
    return fileDifference(place, context, () => ({ text: textOf(input, "content") }));
  },
  async run(input, context) {
    const place = placeInWorkspace(textOf(input, "file_path"), context);
    const text = textOf(input, "content");
    checkWellFormed(text, "content");
    const content = Buffer.from(text, "utf8");
    const created = await withFileLock(place, context, async () => {
      const before = await existingFile(place, context);
      if (before !== undefined) {
        checkUnchanged(place, before, context);
        checkOthers(place, before.bytes, context);
      }
      await writeBytes(place, content, before, context);
      return before === undefined;
    });
    return {
      content: `${created ? "Created" : "Replaced"} ${place.written} (${content.length} bytes).`,
      data: { file_path: place.real, type: created ? "create" : "update", bytes: content.length },
    };
  },
};
