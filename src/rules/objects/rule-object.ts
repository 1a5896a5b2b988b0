import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { formatFieldPath, parseFieldPath } from "../fields/field-path.ts";
import { parseRules } from "../language/parse.ts";
import {
  actionRow,
  isTextAction,
  RULE_ACTIONS,
  type Rule,
  type RuleAction,
  type RuleExample,
  type RuleValue,
} from "../rule.ts";
import { RuleError } from "../rule-error.ts";
import { bad, readCondition, shown } from "./condition-object.ts";

const RULE_KEYS = ["action", "mode", "reason", "modify_field", "modify_value", "examples"];
const ACTION_NAMES = Object.keys(RULE_ACTIONS);

/**
 * Reads the list `inline_rules`. An item is an object, or a string in the one-line language.
 *
 * @throws TenterhookError `bad_rule` that names the rule by its place in the list.
 */
export function readRules(list: unknown, owner: string): readonly Rule[] {
  if (!Array.isArray(list)) throw bad(owner, `"inline_rules" must be a list, found ${shown(list)}`);
  return list.flatMap((item, at) => {
    try {
      return readRule(item, `rule ${at + 1} of ${owner}`);
    } catch (error) {
      if (!(error instanceof TenterhookError)) throw error;
      throw new RuleError(error.code, error.message, { rule: at }, { hint: error.hint, cause: error.cause });
    }
  });
}

export function readExamples(list: unknown, place: string): readonly RuleExample[] {
  if (!Array.isArray(list)) throw bad(place, `"examples" must be a list, found ${shown(list)}`);
  return list.map((item: unknown, at): RuleExample => {
    const where = `${place}, example ${at + 1}`;
    const keys = isRecord(item) ? Object.keys(item) : [];
    const [key] = keys;
    if (!isRecord(item) || keys.length !== 1 || (key !== "match" && key !== "not_match")) {
      throw bad(where, `expected { match: … } or { not_match: … }, found ${shown(item)}`);
    }
    const subject = item[key];
    if (typeof subject !== "string" && !isRecord(subject)) {
      throw bad(where, `expected a command line or an event, found ${shown(subject)}`);
    }
    return key === "match" ? { match: subject } : { not_match: subject };
  });
}

function readRule(spec: unknown, place: string): readonly Rule[] {
  if (typeof spec === "string") return parseRules({ text: spec, name: place });
  if (!isRecord(spec))
    throw bad(place, `expected a rule { field, operator, value, action }, found ${shown(spec)}`);
  const condition = readCondition(spec, place, RULE_KEYS);
  const action = readAction(spec, place);
  const { mode, examples } = spec;
  if (mode !== undefined && mode !== "shadow" && mode !== "enforce")
    throw bad(place, `"mode" must be enforce or shadow, found ${shown(mode)}`);
  return [
    {
      condition,
      action,
      ...(mode === "shadow" ? { shadow: true } : {}),
      ...(examples === undefined ? {} : { examples: readExamples(examples, place) }),
    },
  ];
}

function readAction(spec: Readonly<Record<string, unknown>>, place: string): RuleAction {
  const { action, reason, modify_field: field, modify_value: value } = spec;
  if (typeof action !== "string") throw bad(place, `"action" must be one of ${ACTION_NAMES.join(", ")}`);
  if (reason !== undefined && typeof reason !== "string") throw bad(place, `"reason" must be a string`);
  if (action === "modify") return readModify(field, value, place);
  if (field !== undefined || value !== undefined) {
    throw bad(place, `"modify_field" and "modify_value" belong to the action modify, not ${action}`);
  }
  if (action === "continue") return { type: "continue" };
  if (!isTextAction(action)) {
    const help = action === "set" ? ' Did you mean "modify"?' : didYouMean(action, ACTION_NAMES);
    throw bad(
      place,
      `unknown action ${JSON.stringify(action)}.${help} Actions are ${ACTION_NAMES.join(", ")}`,
    );
  }
  if (actionRow(action).needs_text && !reason)
    throw bad(place, `the action ${action} needs its text in "reason"`);
  return { type: action, text: reason ?? "" };
}

function readModify(field: unknown, value: unknown, place: string): RuleAction {
  if (typeof field !== "string")
    throw bad(place, 'the action modify needs "modify_field", such as args.command');
  if (!isRuleValue(value)) throw bad(place, 'the action modify needs "modify_value"');
  return { type: "modify", field: formatFieldPath(parseFieldPath(field, place)), value };
}

const DEEPEST_VALUE = 100;

function isRuleValue(value: unknown, depth = 0): value is RuleValue {
  if (depth > DEEPEST_VALUE) return false;
  if (Array.isArray(value)) return value.every((item) => isRuleValue(item, depth + 1));
  if (isRecord(value)) return Object.values(value).every((item) => isRuleValue(item, depth + 1));
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
