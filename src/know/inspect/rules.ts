import type { InspectedDefinition } from "../../config/parse/inspect.ts";
import type { Problem } from "../../config/parse/problem.ts";
import { matchedTools, wrongArgument } from "../../config/parse/tool-arguments.ts";
import {
  type Asking,
  fieldsIn,
  problemsOfRules,
  textFields,
  unknownTextFields,
} from "../../config/parse/unknown-fields.ts";
import { eventRow } from "../../core/events/event-table.ts";
import { actionRow } from "../../rules/rule.ts";

/**
 * Problems of inline rules and of `when` that only the events and the tools of the hook show, each at its rule. None for
 * rules that can't be read, which are reported with the file.
 */
export function ruleProblems(what: InspectedDefinition): readonly Problem[] {
  const { matcher, async: isLate, observe } = what.definition;
  const events = [matcher.events].flat();
  const tools = matchedTools(matcher.tools);
  return [
    ...problemsOfRules(what, (asking) => [
      // What an async hook can't do is an error wherever the file is read.
      ...(isLate === true ? [] : wrongEffect(asking, events, observe === true)),
      ...[...fieldsIn(asking.condition), ...textFields(asking)].flatMap(
        (field) => wrongArgument(field, tools) ?? [],
      ),
    ]),
    ...unknownTextFields(what),
  ];
}

function wrongEffect({ action }: Asking, events: readonly string[], observes: boolean): readonly string[] {
  if (action === undefined) return [];
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
