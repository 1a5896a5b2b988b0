import type { RulePlace } from "../../rules/rule-error.ts";
import type { WrittenHandler } from "../schema/definition.ts";

/** How many wrong rules of one hook are reported. */
export const MOST_LOOKS = 20;

/** What stands in the place of a rule that can't work, so that those behind it keep their numbers. */
const LEFT_OUT = { field: "tool_name", operator: "equals", value: "", action: "continue" };

/** A handler without the rule at a place; `undefined` when none is left, or none is there. */
export function withoutRule(handler: WrittenHandler, { rule, line }: RulePlace): WrittenHandler | undefined {
  const { rules, inline_rules: list, examples: _, ...others } = handler;
  if (Array.isArray(list) && rule !== undefined && rule < list.length && line === undefined) {
    const left = list.map((one: unknown, at) => (at === rule ? LEFT_OUT : one));
    return { ...others, ...(rules === undefined ? {} : { rules }), inline_rules: left };
  }
  if (typeof rules !== "string" || line === undefined) return undefined;
  const lines = rules.split("\n");
  const margin = lines.find((text) => text.trim() !== "" && !text.trim().startsWith("#"))?.search(/\S/) ?? 0;
  const starts = (text: string): boolean => text.trim() !== "" && text.search(/\S/) <= margin;
  let from = line - 1;
  while (from > 0 && !starts(lines[from] ?? "")) from -= 1;
  let to = line;
  while (to < lines.length && !starts(lines[to] ?? "")) to += 1;
  const instead = `${" ".repeat(margin)}tool_name equals "" -> continue()`;
  const left = lines.map((text, at) => (at === from ? instead : at > from && at < to ? "" : text));
  return { ...others, ...(list === undefined ? {} : { inline_rules: list }), rules: left.join("\n") };
}
