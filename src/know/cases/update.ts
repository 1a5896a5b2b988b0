import { readFile } from "node:fs/promises";
import { isMap, parseDocument } from "yaml";
import { withoutUndefined } from "../../core/base/json.ts";
import type { Actual } from "./actual.ts";

/** What was decided about a case that expects nothing yet. */
export interface Unexpected {
  readonly file: string;
  /** The place of the case in the list of its file, from 0 on. */
  readonly index: number;
  /** What was decided; several for a list of command lines. */
  readonly actual: readonly Actual[];
}

/**
 * Writes what was decided into cases that have no `expect`; the rest of a file stays as it is.
 *
 * @returns the file of each, with the reason if it could not be written.
 */
export async function writeExpected(
  found: readonly Unexpected[],
  write: (file: string, text: string) => Promise<void>,
): Promise<readonly { readonly file: string; readonly problem: string | undefined }[]> {
  const clear = found.filter((one) => whyNot(one) === undefined);
  for (const file of new Set(clear.map((one) => one.file))) {
    const text = await readFile(file, "utf8");
    const document = parseDocument(text);
    const parts = clear
      .filter((one) => one.file === file)
      .flatMap(({ index, actual }) =>
        insertion(text, document.getIn(["cases", index], true), expectText(actual, IS_JSON.test(file))),
      )
      .sort((a, b) => b.at - a.at);
    const changed = parts.reduce((now, { at, part }) => now.slice(0, at) + part + now.slice(at), text);
    await write(file, changed);
  }
  return found.map((one) => ({ file: one.file, problem: whyNot(one) }));
}

const IS_JSON = /\.jsonc?$/i;

function whyNot({ file, index, actual }: Unexpected): string | undefined {
  const number = index + 1;
  if (/\.toml$/i.test(file))
    return `case ${number} has to be written by hand; only YAML and JSON are updated.`;
  if (new Set(actual.map(({ action }) => action)).size === 1) return undefined;
  return `the lines of case ${number} are decided differently. Give each its own case.`;
}

/** Where `expect` goes: on a line of its own after the last key, or before the closing brace. */
function insertion(
  text: string,
  node: unknown,
  expect: string,
): readonly { readonly at: number; readonly part: string }[] {
  if (!isMap(node) || !node.range) return [];
  const [start, end] = node.range;
  if (node.flow === true) return [{ at: text.slice(0, end - 1).trimEnd().length, part: `, ${expect}` }];
  const last = text.slice(0, end).trimEnd().length;
  const lineEnd = text.indexOf("\n", last);
  const indent = start - (text.lastIndexOf("\n", start - 1) + 1);
  return [{ at: lineEnd === -1 ? text.length : lineEnd, part: `\n${" ".repeat(indent)}${expect}` }];
}

/** A list of lines shares what all of them have. */
function expectText(actual: readonly Actual[], isJson: boolean): string {
  const [only] = actual;
  const { action, reason, hook } = only ?? { action: "continue" };
  const said = actual.length === 1 && action !== "continue" ? withoutUndefined({ reason, hook }) : {};
  if (isJson) return `"expect": ${JSON.stringify({ action, ...said })}`;
  const parts = Object.entries(said).map(([key, value]) => `, ${key}: ${JSON.stringify(value)}`);
  return `expect: { action: ${action}${parts.join("")} }`;
}
