import type { Tool } from "../../core/contracts/tool.ts";
import { noteWriter, withFileLock } from "./files/file-lock.ts";
import { checkWellFormed, decodeText, encodeText, wholeFile } from "./files/file-text.ts";
import { checkUnchanged, fingerprint, rememberFile } from "./files/known-files.ts";
import { openFile } from "./files/open-file.ts";
import { replaceFile } from "./files/replace-file.ts";
import { replaceText } from "./files/replace-text.ts";
import { type Place, placeInWorkspace } from "./files/workspace.ts";
import { failed, flagField, flagOf, inputSchema, textField, textOf } from "./input.ts";

const DESCRIPTION = `Replaces text in a file of the workspace by other text.

- old_string must be in the file exactly as written, with its indentation, and only once; add lines around it until it is unique, or set replace_all to replace every occurrence.
- Leave out the line numbers that Read puts in front of lines.
- Nothing in the strings is special: no patterns, no escapes. Line breaks are written as \\n; the line endings of the file stay.
- A file that changed since you read it is refused: read it again. To create a file or to replace all of it, use Write.`;

/**
 * Replaces text in a file. The file keeps its line endings, byte order mark, mode and owner, and is written atomically.
 */
export const editTool: Tool = {
  name: "Edit",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      file_path: textField("The file to change, absolute or from the working folder."),
      old_string: textField("The text to replace, exactly as it is in the file."),
      new_string: {
        type: "string",
        description: "The text to put in its place; must differ from old_string.",
      },
      replace_all: flagField("Replace every occurrence of old_string instead of the only one."),
    },
    ["file_path", "old_string", "new_string"],
  ),
  annotations: { destructive: true, edits_files: true },
  async run(input, context) {
    const place = placeInWorkspace(textOf(input, "file_path"), context);
    const old_string = textOf(input, "old_string");
    const new_string = textOf(input, "new_string");
    if (old_string === new_string)
      throw failed("old_string and new_string are identical; there is nothing to change.");
    if (old_string === "")
      throw failed("old_string is empty; to create a file or to replace all of it, use Write.");
    checkWellFormed(old_string, "old_string");
    checkWellFormed(new_string, "new_string");
    const replacement = { old_string, new_string, replace_all: flagOf(input, "replace_all") };

    const { count, line } = await withFileLock(place, context, async () => {
      const handle = await openFile(place, context);
      try {
        const bytes = await wholeFile(handle, place);
        const stats = await handle.stat();
        checkUnchanged(place, { bytes, stats }, context);
        const { mark, text } = decodeText(bytes, place);
        const replaced = atFile(place, () => replaceText(text, replacement));
        const after = encodeText({ mark, text: replaced.text });
        await replaceFile(place, after, { bytes, stats }, context);
        rememberFile(place, fingerprint(after), context);
        noteWriter(place, after, context);
        return replaced;
      } finally {
        await handle.close();
      }
    });
    const where = count === 1 ? `at line ${line}` : `${count} times, first at line ${line}`;
    return {
      content: `Replaced in ${place.written} ${where}.`,
      data: { file_path: place.real, replacements: count, line },
    };
  },
};

/** Appends the file's name to an error message. */
function atFile<T>(place: Place, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof Error ? failed(`${error.message} (in ${place.written})`, error) : error;
  }
}
