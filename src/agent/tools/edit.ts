import type { Tool } from "../../core/contracts/tool.ts";
import { changeFile, fileDifference } from "./files/change-file.ts";
import { checkWellFormed } from "./files/file-text.ts";
import { replaceText } from "./files/replace-text.ts";
import { type Place, placeInWorkspace } from "./files/workspace.ts";
import { failed, flagField, flagOf, inputSchema, type ToolInput, textField, textOf } from "./input.ts";

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
  preview(input, context) {
    const place = placeInWorkspace(textOf(input, "file_path"), context);
    return fileDifference(place, context, (text) => replaceText(text, replacementIn(input)));
  },
  async run(input, context) {
    const place = placeInWorkspace(textOf(input, "file_path"), context);
    const replacement = replacementIn(input);
    const { count, line } = await changeFile(place, context, (text) =>
      atFile(place, () => replaceText(text, replacement)),
    );
    const where = count === 1 ? `at line ${line}` : `${count} times, first at line ${line}`;
    return {
      content: `Replaced in ${place.written} ${where}.`,
      data: { file_path: place.real, replacements: count, line },
    };
  },
};

/** @throws TenterhookError `tool_failed` when there is nothing to change. */
function replacementIn(input: ToolInput) {
  const old_string = textOf(input, "old_string");
  const new_string = textOf(input, "new_string");
  if (old_string === new_string)
    throw failed("old_string and new_string are identical; there is nothing to change.");
  if (old_string === "")
    throw failed("old_string is empty; to create a file or to replace all of it, use Write.");
  checkWellFormed(old_string, "old_string");
  checkWellFormed(new_string, "new_string");
  return { old_string, new_string, replace_all: flagOf(input, "replace_all") };
}

function atFile<T>(place: Place, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof Error ? failed(`${error.message} (in ${place.written})`, error) : error;
  }
}
