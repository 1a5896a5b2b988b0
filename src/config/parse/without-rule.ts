import type { WrittenHandler } from "../schema/definition.ts";

/** How many wrong rules of one hook are reported. */
export const MOST_LOOKS = 20;

/** The line of `rules` that a message is about. */
export const RULE_ITEM = /^(?:In r|R)ule (\d+)/;
export const RULE_LINE = /^(?:In the rules of .*?, line|Rule \d+ \(line) (\d+)(?:, column (\d+): |\) of )/;

/** What stands in the place of a rule that can't work, so that those behind it keep their numbers. */
const LEFT_OUT = { field: "tool_name", operator: "equals", value: "", action: "continue" };

/** A handler without the rule that a message is about; `undefined` when none is left, or the message names none. */
export function withoutRule(handler: WrittenHandler, message: string): WrittenHandler | undefined {
  const { rules, inline_rules: list, examples: _, ...others } = handler;
  const item = Number(RULE_ITEM.exec(message)?.[1]) - 1;
  if (Array.isArray(list) && item < list.length && !RULE_LINE.test(message)) {
    const left = list.map((rule: unknown, at) => (at === item ? LEFT_OUT : rule));
    return { ...others, ...(rules === undefined ? {} : { rules }), inline_rules: left };
  }
  const wrong = Number(RULE_LINE.exec(message)?.[1]);
  if (typeof rules !== "string" || Number.isNaN(wrong)) return undefined;
  const lines = rules.split("\n");
  const margin = lines.find((line) => line.trim() !== "" && !line.trim().startsWith("#"))?.search(/\S/) ?? 0;
  const starts = (line: string): boolean => line.trim() !== "" && line.search(/\S/) <= margin;
  let from = wrong - 1;
  while (from > 0 && !starts(lines[from] ?? "")) from -= 1;
  let to = wrong;
  while (to < lines.length && !starts(lines[to] ?? "")) to += 1;
  const instead = `${" ".repeat(margin)}tool_name equals "" -> continue()`;
  const left = lines.map((line, at) => (at === from ? instead : at > from && at < to ? "" : line));
  return { ...others, ...(list === undefined ? {} : { inline_rules: list }), rules: left.join("\n") };
}
