import type { InspectedDefinition } from "../../../../config/parse/inspect.ts";
import type { Problem } from "../../../../config/parse/problem.ts";
import { matchedTools, wrongArgument } from "../../../../config/parse/tool-arguments.ts";
import {
  fieldsIn,
  placedRules,
  problemsOfFields,
  textFields,
  unknownTextFields,
} from "../../../../config/parse/unknown-fields.ts";
import { handlersOf } from "../../../../config/schema/definition.ts";
import { isTenterhookError } from "../../../../core/base/errors.ts";
import { eventRow } from "../../../../core/events/event-table.ts";
import { actionRow, type Rule } from "../../../../rules/rule.ts";

/**
 * Problems of inline rules and of `when` that only the events and the tools of the hook show, each at its rule. None for
 * rules that can't be read, which are reported with the file.
 */
export function ruleProblems(what: InspectedDefinition): readonly Problem[] {
  const tools = matchedTools(what.definition.matcher.tools);
  return [
    ...wrongEffects(what),
    ...unknownTextFields(what),
    ...problemsOfFields(
      what,
      (asking) => [...fieldsIn(asking.condition), ...textFields(asking)],
      (field) => wrongArgument(field, tools),
    ),
  ];
}

function wrongEffects(what: InspectedDefinition): readonly Problem[] {
  const { definition, path, parsed } = what;
  // What an async hook can't do is an error wherever the file is read.
  if (definition.async === true) return [];
  const events = [definition.matcher.events].flat();
  const label = `Hook ${JSON.stringify(definition.name)}`;
  try {
    return handlersOf(definition, path)
      .filter(([{ type }]) => type === "inline")
      .flatMap(([part, at]) => placedRules(what, part, at))
      .flatMap(([rule, place]) =>
        wrongEffect(rule, events, definition.observe === true).map((text) => {
          const message = `${label}: ${text}`;
          return { code: "config_invalid", file: parsed.file, ...place, message } as const;
        }),
      );
  } catch (error) {
    if (isTenterhookError(error)) return [];
    throw error;
  }
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
