import { isRecord } from "../../core/base/json.ts";
import { isRegex } from "../../node/regex.ts";
import type { SettingsText } from "../settings/json-edit.ts";
import { CURSOR_EVENTS } from "./events.ts";

/*
 * Cursor ignores a whole hooks.json, our hooks included, when one thing in it is not as it should be. It takes out
 * comments without looking at strings: a `//` in a command cuts off the rest of the line.
 */

/** Why Cursor ignores the hooks of a file that can be parsed; a sentence without its full stop. */
export function whyUnread(text: SettingsText): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const settings = asCursorReads(text);
  if (settings === undefined) return unparsed(text);
  const wrong = wrongIn(settings);
  return wrong === undefined ? undefined : `Cursor ignores a file in which something is wrong: ${wrong}`;
}

function asCursorReads(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/\/\/.*$/gm, "").replaceAll(/\/\*[\s\S]*?\*\//g, ""));
  } catch {
    return undefined;
  }
}

function unparsed(text: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => /"(?:[^"\\]|\\.)*\/[/*](?:[^"\\]|\\.)*"/.test(line));
  if (at === -1) return "Cursor reads JSON without commas before closing brackets only";
  return `Cursor takes // and /* for a comment inside strings too, and line ${at + 1} has one: the rest of the line is lost`;
}

function wrongIn(settings: unknown): string | undefined {
  if (!isRecord(settings)) return "it is not an object";
  const { version, hooks } = settings;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1)
    return "version must be a whole number from 1";
  if (!isRecord(hooks)) return "hooks must be an object";
  for (const [event, list] of Object.entries(hooks)) {
    if (!Object.hasOwn(CURSOR_EVENTS, event)) return `it has no event ${event}`;
    if (!Array.isArray(list)) return `hooks.${event} must be a list`;
    for (const [at, hook] of list.entries()) {
      const wrong = wrongHook(hook);
      if (wrong !== undefined) return `hooks.${event}.${at}${wrong}`;
    }
  }
  return undefined;
}

/** Follows the place of the hook. */
function wrongHook(hook: unknown): string | undefined {
  if (!isRecord(hook)) return " must be an object";
  const { type = "command", command, prompt, matcher, timeout, failClosed } = hook;
  if (type !== "command" && type !== "prompt") return ".type must be command or prompt";
  if (type === "command" && typeof command !== "string") return ".command must be a string";
  if (type === "prompt" && (typeof prompt !== "string" || prompt.trim() === ""))
    return ".prompt must be a string";
  if (timeout !== undefined && (typeof timeout !== "number" || timeout <= 0))
    return ".timeout must be a number above 0";
  if (failClosed !== undefined && typeof failClosed !== "boolean") return ".failClosed must be true or false";
  if (!isLoopLimit(hook.loop_limit)) return ".loop_limit must be a whole number above 0, or null";
  return matcher === undefined || matcher === "*" || isRegex(matcher)
    ? undefined
    : ".matcher must be a regular expression";
}

function isLoopLimit(limit: unknown): boolean {
  return limit === undefined || limit === null || (Number.isInteger(limit) && Number(limit) > 0);
}
