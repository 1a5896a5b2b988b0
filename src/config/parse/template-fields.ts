import { isTenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { fieldsOfEvent } from "../../core/events/event-fields.ts";
import { compileTemplate } from "../../rules/template.ts";
import type { ConfigDefinition } from "../config.ts";
import { handlersOf } from "../schema/definition.ts";
import type { Warning } from "./problem.ts";

/** Warns of templates with a field that no event of the hook has: it would render as nothing. */
export function templateWarnings({ name, definition, origin }: ConfigDefinition): readonly Warning[] {
  const events = [definition.matcher.events].flat();
  const known = events.map(fieldsOfEvent);
  // An event of somebody's own may have any field.
  if (known.some((fields) => fields === undefined)) return [];
  const fields = known.flatMap((some) => some ?? []);
  const handlers = handlersOf(definition).map(([handler]) => handler);
  const inPrompts = handlers.flatMap(({ prompt }) => fieldsIn(prompt));
  const inRules = handlers.flatMap(({ rules, inline_rules }) => [
    ...fieldsIn(rules),
    ...fieldsIn(inline_rules),
  ]);
  return [...new Set([...inPrompts, ...inRules])].flatMap((field) => {
    const [root = ""] = field.split(/[.[]/);
    if (fields.includes(root)) return [];
    // In a rule, `validate` calls a misspelt field an error.
    if (!inPrompts.includes(field) && didYouMean(root, fields) !== "") return [];
    const message = `Hook ${JSON.stringify(name)}: the template names {{${field}}}, which ${events.join(" and ")} ${events.length === 1 ? "does" : "do"} not have; it renders as nothing.${didYouMean(root, fields)}`;
    return [{ file: origin.file, line: origin.line, message }];
  });
}

function fieldsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("{{") ? templateFields(value) : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(fieldsIn) : [];
}

/** Ignores an invalid template, which is reported when it is compiled. */
function templateFields(text: string): readonly string[] {
  try {
    return compileTemplate(text).fields;
  } catch (error) {
    if (isTenterhookError(error)) return [];
    throw error;
  }
}
