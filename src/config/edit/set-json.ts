import { applyEdits, type ModificationOptions, modify } from "jsonc-parser";

/** A JSON text with a value at a path, indented as the rest is. Comments and everything else stay as written. */
export function setJson(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
  options: Omit<ModificationOptions, "formattingOptions"> = {},
): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const formattingOptions = formatOf(before);
  return applyEdits(before, modify(before, [...path], value, { ...options, formattingOptions }));
}

function formatOf(text: string) {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  const insertSpaces = !indent.startsWith("\t");
  return {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
