import type { InspectedDefinition } from "../../../../config/parse/inspect.ts";
import { positionOf, type ValuePath } from "../../../../config/parse/located.ts";
import type { Problem } from "../../../../config/parse/problem.ts";
import { placeInRules } from "../../../../config/parse/rules-place.ts";
import { matchedTools, wrongArgument } from "../../../../config/parse/tool-arguments.ts";
import { handlersOf, type WrittenHandler } from "../../../../config/schema/definition.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { nearestName } from "../../../../core/base/suggest.ts";
import { fieldsOfEvent } from "../../../../core/events/event-fields.ts";
import { eventRow } from "../../../../core/events/event-table.ts";
import { type Condition, testsOf } from "../../../../rules/conditions/condition.ts";
import { readCondition } from "../../../../rules/conditions/condition-object.ts";
import type { Place } from "../../../../rules/language/tokenize.ts";
import { actionRow, type Rule } from "../../../../rules/rule.ts";
import { readInlineRules } from "../../../../rules/rules.ts";
import { compileTemplate } from "../../../../rules/template.ts";
import { USAGE_FIELDS } from "../../../../shared/usage-fields.ts";

/**
 * Problems of inline rules and of `when` that only the events of the hook show, each at its rule. None for rules that
 * can't be read, which are reported with the file.
 */
export function ruleProblems(what: InspectedDefinition): readonly Problem[] {
  try {
    return problemsIn(what);
  } catch (error) {
    if (isTenterhookError(error)) return [];
    throw error;
  }
}

function problemsIn(what: InspectedDefinition): readonly Problem[] {
  const { definition, path } = what;
  const events = [definition.matcher.events].flat();
  const tools = matchedTools(definition.matcher.tools);
  const problems: Problem[] = [];
  const add = (place: Place, text: string): void => {
    const message = `Hook ${JSON.stringify(definition.name)}: ${text}`;
    problems.push({ code: "config_invalid", file: what.parsed.file, ...place, message });
  };
  const { when } = definition.matcher;
  if (when !== undefined) {
    const place = positionOf(what.parsed.located, [...path, "matcher", "when"]);
    for (const text of unknownFields(readCondition(when, "when"), [], events, tools)) add(place, text);
  }
  for (const [part, at] of handlersOf(definition, path)) {
    if (part.type !== "inline") continue;
    for (const [rule, place] of placedRules(what, part, at)) {
      for (const text of [
        // What an async hook can't do is an error wherever the file is read.
        ...(definition.async === true ? [] : wrongEffect(rule, events, definition.observe === true)),
        ...wrongFields(rule, events, tools),
      ])
        add(place, text);
    }
  }
  return problems;
}

function wrongEffect({ action }: Rule, events: readonly string[], observes: boolean): readonly string[] {
  const { effect } = actionRow(action.type);
  if (effect === undefined) return [];
  if (observes && effect !== "context")
    return [`the rule says ${action.type}, but a hook with observe: true never decides.`];
  return events.flatMap((event) => {
    const row = eventRow(event);
    if (row === undefined || row.effects.includes(effect)) return [];
    // Another effect replaces the refusal.
    if (effect === "deny" && row.refused_by !== undefined) return [];
    const only = row.effects.length === 0 ? "nothing can be decided there" : `only ${row.effects.join(", ")}`;
    return [`the rule says ${action.type}, which ${event} can't have (${only}).`];
  });
}

function wrongFields(
  { condition, action }: Rule,
  events: readonly string[],
  tools: readonly string[],
): readonly string[] {
  const texts = "text" in action ? [action.text] : "value" in action ? [JSON.stringify(action.value)] : [];
  const set = action.type === "modify" ? [action.field] : [];
  return unknownFields(condition, [...set, ...texts.flatMap(templateFields)], events, tools);
}

function templateFields(text: string): readonly string[] {
  return text.includes("{{") ? compileTemplate(text).fields : [];
}

/** Fields that none of the events has and that look like one they have: such a rule never holds. */
function unknownFields(
  condition: Condition,
  inTemplates: readonly string[],
  events: readonly string[],
  tools: readonly string[],
): readonly string[] {
  const known = events.map(fieldsOfEvent);
  // An event of somebody's own may have any field, and so may a foreign agent's payload.
  if (known.some((fields) => fields === undefined)) return [];
  const fields = new Set([...known.flatMap((some) => some ?? []), "call"]);
  const used = new Set([...testsOf(condition).map(({ field }) => field), ...inTemplates]);
  return [...used].flatMap((field) => {
    const [root = "", part] = field.split(/[.[]/);
    if (root === "usage" && part !== undefined && !Object.hasOwn(USAGE_FIELDS, part)) {
      const names = Object.keys(USAGE_FIELDS);
      const like = nearestName(part, names) ?? names.find((name) => name.startsWith(part));
      const help = like === undefined ? `It has ${names.join(", ")}.` : `Did you mean "usage.${like}"?`;
      return [`usage has no field ${JSON.stringify(part)}. ${help}`];
    }
    const wrong = wrongArgument(field, tools);
    if (wrong !== undefined) return [wrong];
    const near = fields.has(root) ? undefined : nearestName(root, fields);
    return near === undefined
      ? []
      : [
          `${events.join(" and ")} has no field ${JSON.stringify(field)}. Did you mean ${JSON.stringify(near)}?`,
        ];
  });
}

/** The rules of a handler, each with the place where it begins: an item of `inline_rules`, or a line of `rules`. */
function placedRules(
  { definition: { name }, parsed }: InspectedDefinition,
  { inline_rules: items, rules: text }: WrittenHandler,
  at: ValuePath,
): readonly (readonly [Rule, Place])[] {
  const listed = (Array.isArray(items) ? items : []).flatMap((item: unknown, index) =>
    readInlineRules({ name, inline_rules: [item] }).map(
      (rule) => [rule, positionOf(parsed.located, [...at, "inline_rules", index])] as const,
    ),
  );
  const written = text === undefined ? [] : readInlineRules({ name, rules: text });
  return [
    ...listed,
    ...written.map(
      (rule) => [rule, placeInRules(parsed, at, text, { line: rule.line ?? 1, column: 1 })] as const,
    ),
  ];
}
