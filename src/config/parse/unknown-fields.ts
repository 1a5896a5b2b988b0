import { isTenterhookError } from "../../core/base/errors.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { fieldsOfEvent } from "../../core/events/event-fields.ts";
import { type Condition, testsOf } from "../../rules/conditions/condition.ts";
import type { Place } from "../../rules/language/tokenize.ts";
import { readCondition } from "../../rules/objects/condition-object.ts";
import type { Rule } from "../../rules/rule.ts";
import { RuleError } from "../../rules/rule-error.ts";
import { readInlineRules } from "../../rules/rules.ts";
import { compileTemplate } from "../../rules/template.ts";
import { USAGE_FIELDS } from "../../shared/usage-fields.ts";
import { handlersOf, type WrittenHandler } from "../schema/definition.ts";
import type { InspectedDefinition } from "./inspect.ts";
import { positionOf, type ValuePath } from "./located.ts";
import type { Problem } from "./problem.ts";
import { placeInRules } from "./rules-place.ts";
import { MOST_LOOKS, withoutRule } from "./without-rule.ts";

/** What names fields: a rule, or a `when`, which has no action. */
export type Asking = Pick<Rule, "condition"> & Partial<Pick<Rule, "action">>;

/**
 * Conditions that ask for a misspelt field of the event: they would never hold, so a gate would let everything pass. Rules
 * that can't be read are reported by themselves.
 */
export function unknownFields(what: InspectedDefinition): readonly Problem[] {
  const wrong = unknownIn(what);
  return problemsOfRules(what, ({ condition }) => fieldsIn(condition).flatMap((field) => wrong(field) ?? []));
}

/** Texts of rules that name a misspelt field of the event. The rule holds all the same. */
export function unknownTextFields(what: InspectedDefinition): readonly Problem[] {
  const wrong = unknownIn(what);
  return problemsOfRules(what, (asking) => textFields(asking).flatMap((field) => wrong(field) ?? []));
}

/** What is wrong with each rule and the `when` of a hook, at its place. Nothing of rules that can't be read. */
export function problemsOfRules(
  { definition, path, parsed }: InspectedDefinition,
  wrong: (asking: Asking) => readonly string[],
): readonly Problem[] {
  const problems: Problem[] = [];
  // Finding the place reads the file.
  const check = (asking: Asking, place: () => Place): void => {
    for (const text of new Set(wrong(asking))) {
      const message = `Hook ${JSON.stringify(definition.name)}: ${text}`;
      problems.push({ code: "config_invalid", file: parsed.file, ...place(), message });
    }
  };
  try {
    const { when } = definition.matcher;
    if (when !== undefined)
      check({ condition: readCondition(when, "when") }, () =>
        positionOf(parsed.located, [...path, "matcher", "when"]),
      );
    for (const [part, at] of handlersOf(definition, path))
      if (part.type === "inline")
        for (const [rule, place] of placedRules(
          { definition, parsed },
          readablePart(part, definition.name),
          at,
        ))
          check(rule, place);
  } catch (error) {
    if (!isTenterhookError(error)) throw error;
  }
  return problems;
}

function unknownIn({ definition }: InspectedDefinition): (field: string) => string | undefined {
  const events = [definition.matcher.events].flat();
  const known = events.map(fieldsOfEvent);
  return (field) => unknownField(field, events, known);
}

function unknownField(
  field: string,
  events: readonly string[],
  known: readonly (readonly string[] | undefined)[],
): string | undefined {
  const [root = "", part] = field.split(/[.[]/);
  // An event of somebody's own may have any field, and so may a foreign agent's payload.
  if (known.includes(undefined)) return undefined;
  if (root === "usage" && part !== undefined && !Object.hasOwn(USAGE_FIELDS, part)) {
    const names = Object.keys(USAGE_FIELDS);
    const like = nearestName(part, names) ?? names.find((name) => name.startsWith(part));
    const help = like === undefined ? `It has ${names.join(", ")}.` : `Did you mean "usage.${like}"?`;
    return `usage has no field ${JSON.stringify(part)}. ${help}`;
  }
  const fields = new Set([...known.flatMap((some) => some ?? []), "call"]);
  const near = fields.has(root) ? undefined : nearestName(root, fields);
  if (near === undefined) return undefined;
  return `${events.join(" and ")} has no field ${JSON.stringify(field)}. Did you mean ${JSON.stringify(near)}?`;
}

export function fieldsIn(condition: Condition): readonly string[] {
  return testsOf(condition).map(({ field }) => field);
}

/** The fields that a rule sets, or shows in its text. */
export function textFields({ action }: Asking): readonly string[] {
  if (action === undefined) return [];
  const texts = "text" in action ? [action.text] : "value" in action ? [JSON.stringify(action.value)] : [];
  return [...(action.type === "modify" ? [action.field] : []), ...texts.flatMap(templateFields)];
}

function templateFields(text: string): readonly string[] {
  return text.includes("{{") ? compileTemplate(text).fields : [];
}

/** A handler with those of its rules that can be read. */
function readablePart(part: WrittenHandler, name: string): WrittenHandler {
  let rest = part;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1)
    try {
      readInlineRules({ ...rest, name });
      break;
    } catch (error) {
      const next = error instanceof RuleError ? withoutRule(rest, error.place) : undefined;
      if (next === undefined) break;
      rest = next;
    }
  return rest;
}

/**
 * The rules of a handler, each with the place where it begins: an item of `inline_rules`, or a line of `rules`.
 *
 * @throws TenterhookError `bad_rule` for rules that can't be read.
 */
function placedRules(
  { definition: { name }, parsed }: Pick<InspectedDefinition, "definition" | "parsed">,
  { inline_rules: items, rules: text }: WrittenHandler,
  at: ValuePath,
): readonly (readonly [Rule, () => Place])[] {
  const listed = (Array.isArray(items) ? items : []).flatMap((item: unknown, index) =>
    readInlineRules({ name, inline_rules: [item] }).map(
      (rule) => [rule, () => positionOf(parsed.located, [...at, "inline_rules", index])] as const,
    ),
  );
  const written = text === undefined ? [] : readInlineRules({ name, rules: text });
  return [
    ...listed,
    ...written.map(
      (rule) => [rule, () => placeInRules(parsed, at, text, { line: rule.line ?? 1, column: 1 })] as const,
    ),
  ];
}
