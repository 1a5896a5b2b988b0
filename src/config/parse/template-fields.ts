import { isTenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { fieldsOfEvent } from "../../core/events/event-fields.ts";
import { compileTemplate } from "../../rules/template.ts";
import { handlersOf } from "../schema/definition.ts";
import type { InspectedDefinition } from "./inspect.ts";
import { positionOf } from "./located.ts";
import type { Problem, Warning } from "./problem.ts";
import { placeOfCharacter } from "./rules-place.ts";
import { matchedTools, wrongArgument } from "./tool-arguments.ts";

/** Warns of templates in rules with a field that no event of the hook has: it would render as nothing. */
export function templateWarnings(what: InspectedDefinition): readonly Warning[] {
  const { file, located } = what.parsed;
  return handlersOf(what.definition, what.path).flatMap(([handler, at]) =>
    (["rules", "inline_rules"] as const).flatMap((key) =>
      unknownFields(handler[key], what)
        // `validate` calls a misspelt field an error.
        .filter(({ near }) => near === "")
        .map(({ message }) => ({ file, ...positionOf(located, [...at, key]), message })),
    ),
  );
}

/** The same in the prompt of a judge, which would judge without what it is asked about. */
export function promptProblems({ parsed, ...what }: InspectedDefinition): readonly Problem[] {
  return handlersOf(what.definition, what.path).flatMap(([{ prompt }, at]) => {
    if (typeof prompt !== "string") return [];
    const place = (field: string) => {
      const [root = ""] = field.split(/[.[]/);
      const found = new RegExp(`\\{\\{\\s*${root.replaceAll(/\W/g, "\\$&")}`).exec(prompt);
      return placeOfCharacter(parsed, [...at, "prompt"], prompt, found?.index ?? 0);
    };
    return unknownFields(prompt, what).map(({ field, message }) => ({
      code: "config_invalid" as const,
      file: parsed.file,
      ...place(field),
      message,
    }));
  });
}

interface UnknownField {
  readonly field: string;
  readonly message: string;
  readonly near: string;
}

function unknownFields(
  value: unknown,
  { definition }: Pick<InspectedDefinition, "definition">,
): readonly UnknownField[] {
  const events = [definition.matcher.events].flat();
  const known = events.map(fieldsOfEvent);
  // An event of somebody's own may have any field.
  if (known.some((fields) => fields === undefined)) return [];
  const fields = known.flatMap((some) => some ?? []);
  const tools = matchedTools(definition.matcher.tools);
  return [...new Set(fieldsIn(value))].flatMap((field) => {
    const [root = ""] = field.split(/[.[]/);
    const hook = `Hook ${JSON.stringify(definition.name)}: the template names {{${field}}}`;
    const wrong = wrongArgument(field, tools);
    if (wrong !== undefined) return [{ field, message: `${hook}. ${wrong}`, near: wrong }];
    if (fields.includes(root)) return [];
    const near = didYouMean(root, fields);
    const message = `${hook}, which ${events.join(" and ")} ${events.length === 1 ? "does" : "do"} not have; it renders as nothing.${near}`;
    return [{ field, message, near }];
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
