import { isTenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { fieldsOfEvent } from "../../core/events/event-fields.ts";
import { compileTemplate } from "../../rules/template.ts";
import { handlersOf } from "../schema/definition.ts";
import type { InspectedDefinition } from "./inspect.ts";
import { positionOf, type ValuePath } from "./located.ts";
import type { Warning } from "./problem.ts";

/** Warns of templates with a field that no event of the hook has: it would render as nothing. */
export function templateWarnings({ definition, path, parsed }: InspectedDefinition): readonly Warning[] {
  const events = [definition.matcher.events].flat();
  const known = events.map(fieldsOfEvent);
  // An event of somebody's own may have any field.
  if (known.some((fields) => fields === undefined)) return [];
  const fields = known.flatMap((some) => some ?? []);
  const warningsAt = (key: (typeof TEMPLATES)[number], value: unknown, at: ValuePath): readonly Warning[] =>
    [...new Set(fieldsIn(value))].flatMap((field) => {
      const [root = ""] = field.split(/[.[]/);
      if (fields.includes(root)) return [];
      const near = didYouMean(root, fields);
      // In a rule, `validate` calls a misspelt field an error.
      if (key !== "prompt" && near !== "") return [];
      const message = `Hook ${JSON.stringify(definition.name)}: the template names {{${field}}}, which ${events.join(" and ")} ${events.length === 1 ? "does" : "do"} not have; it renders as nothing.${near}`;
      return [{ file: parsed.file, ...positionOf(parsed.located, [...at, key]), message }];
    });
  return handlersOf(definition, path).flatMap(([handler, at]) =>
    TEMPLATES.flatMap((key) => warningsAt(key, handler[key], at)),
  );
}

const TEMPLATES = ["prompt", "rules", "inline_rules"] as const;

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
