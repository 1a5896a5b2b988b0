import { isRecord } from "../../core/base/json.ts";
import { isRegex } from "../../node/regex.ts";
import { type SettingsText, valueAt } from "../settings/json-edit.ts";
import { TOOL_EVENTS } from "./auggie.ts";

/*
 * Auggie ignores all hooks of an event in a file, ours included, when one of them is not as it should be, and all hooks of
 * a file that has an event of Cursor's among them.
 */

const CURSOR_EVENTS: readonly string[] = [
  "beforeShellExecution",
  "beforeMCPExecution",
  "beforeReadFile",
  "afterFileEdit",
  "afterShellExecution",
  "afterMCPExecution",
  "stop",
];

/** Why Auggie ignores hooks of a file that can be parsed; a sentence without its full stop. */
export function whyUnread(text: SettingsText): string | undefined {
  const hooks = valueAt(text, ["hooks"]);
  if (hooks === undefined) return undefined;
  if (!isRecord(hooks)) return "Auggie wants hooks to be an object";
  const foreign = CURSOR_EVENTS.find((event) => Object.hasOwn(hooks, event));
  if (foreign !== undefined) return `Auggie ignores all hooks of a file that has hooks on ${foreign}`;
  for (const [event, groups] of Object.entries(hooks)) {
    const wrong = wrongIn(event, groups);
    if (wrong !== undefined)
      return `Auggie ignores all hooks on ${event} when one of them is wrong: hooks.${event}${wrong}`;
  }
  return undefined;
}

/** Follows the place of the list. */
function wrongIn(event: string, groups: unknown): string | undefined {
  if (!Array.isArray(groups)) return " must be a list";
  for (const [at, group] of groups.entries()) {
    if (!isRecord(group)) return `.${at} must be an object`;
    if (!Array.isArray(group.hooks)) return `.${at}.hooks must be a list`;
    if (TOOL_EVENTS.has(event) && group.matcher !== undefined && !isRegex(group.matcher))
      return `.${at}.matcher must be a regular expression`;
    for (const [place, hook] of group.hooks.entries()) {
      const wrong = wrongHook(hook);
      if (wrong !== undefined) return `.${at}.hooks.${place}${wrong}`;
    }
  }
  return undefined;
}

/** Follows the place of the hook. */
function wrongHook(hook: unknown): string | undefined {
  if (!isRecord(hook)) return " must be an object";
  const { type, command, args, timeout } = hook;
  if (type !== "command") return ".type must be command";
  if (typeof command !== "string" || command === "") return ".command must be a string";
  if (args !== undefined && !(Array.isArray(args) && args.every((one) => typeof one === "string")))
    return ".args must be a list of strings";
  return timeout === undefined || (typeof timeout === "number" && timeout > 0)
    ? undefined
    : ".timeout must be a number above 0";
}
