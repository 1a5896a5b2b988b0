import type { Tool, ToolContext } from "../../../core/contracts/tool.ts";
import { nodePaths } from "../../../node/ports.ts";
import { changeFile, existingFile, fileDifference } from "../files/change-file.ts";
import { checkWellFormed, decodeText } from "../files/file-text.ts";
import { fingerprint, rememberFile } from "../files/known-files.ts";
import { replaceText } from "../files/replace-text.ts";
import { type Place, placeInWorkspace } from "../files/workspace.ts";
import { failed, inputSchema, optionalText, type ToolInput, textField, textOf } from "../input.ts";

const DESCRIPTION = `Reads and changes your memory files: what later sessions in this workspace are to know.

- view shows the file that file_path names, or without it the names of all of them. add appends new_string as a line of its own. replace puts new_string in the place of old_string, remove deletes old_string; it must be in the file exactly once.
- Write down what stays true: how the project is built and tested, what the user prefers. No secrets, nothing about the current task.`;

const COMMANDS = ["view", "add", "replace", "remove"];

/** Reads and changes the memory files of the agent, and no other file. */
export const memoryTool: Tool = {
  name: "Memory",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      command: { enum: COMMANDS, description: "What to do." },
      file_path: textField("The memory file."),
      old_string: textField("The text to replace or remove, exactly as it is in the file."),
      new_string: textField("The text to add, or to put in the place of old_string."),
    },
    ["command"],
  ),
  annotations: { destructive: true, edits_files: true },
  reads: ({ command }) => command === "view",
  preview: (input, context) =>
    fileDifference(placeInWorkspace(textOf(input, "file_path"), context), context, changeOf(input)),
  async run(input, context) {
    const file = optionalText(input, "file_path");
    // The names only: hooks and permissions judge by the path of a call what may be read.
    if (input.command === "view" && file === undefined) return { content: listed(context) };
    const place = memoryPlace(file, context);
    if (input.command === "view") return { content: await shown(place, context) };
    await changeFile(place, context, changeOf(input), existingFile);
    return { content: `Changed ${place.written}.`, data: { file_path: place.real, command: input.command } };
  },
};

/** @throws TenterhookError `tool_failed` for a file that is no memory file, or leads out of the workspace. */
function memoryPlace(file: string | undefined, context: ToolContext): Place {
  if (file === undefined) throw failed(`file_path is missing. ${listed(context)}`);
  const { memory_files = [] } = context.host;
  const place = placeInWorkspace(file, context);
  if (memory_files.some((one) => nodePaths.spellings(one, context.cwd).includes(place.real))) return place;
  throw failed(`${file} is no memory file. ${listed(context)}`);
}

function listed({ host: { memory_files = [] } }: ToolContext): string {
  return `The memory files are: ${memory_files.join(", ") || "none"}.`;
}

async function shown(place: Place, context: ToolContext): Promise<string> {
  const now = await existingFile(place, context);
  if (now === undefined) return `${place.written} is not there yet; add makes it.`;
  rememberFile(place, fingerprint(now.bytes), context);
  return decodeText(now.bytes, place).text;
}

function changeOf(input: ToolInput): (text: string) => { readonly text: string } {
  const { command } = input;
  const new_string = command === "remove" ? "" : textOf(input, "new_string");
  checkWellFormed(new_string, "new_string");
  if (command === "add")
    return (text) => {
      const end = text.includes("\r\n") ? "\r\n" : "\n";
      const start = text === "" || text.endsWith("\n") ? text : text + end;
      return { text: `${start}${new_string.trimEnd().replaceAll(/\r?\n/g, end)}${end}` };
    };
  const old_string = textOf(input, "old_string");
  return (text) => {
    const at = text.indexOf(old_string);
    const isLine = (at === 0 || text[at - 1] === "\n") && text[at + old_string.length] === "\n";
    const whole = command === "remove" && isLine ? `${old_string}\n` : old_string;
    return replaceText(text, { old_string: whole, new_string, replace_all: false });
  };
}
