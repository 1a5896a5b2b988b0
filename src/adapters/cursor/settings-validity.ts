import { isRecord } from "../../core/base/json.ts";
import type { SettingsText } from "../settings/json-edit.ts";
import {
  type Check,
  firstWrong,
  flag,
  listOf,
  must,
  object,
  regex,
  seconds,
  shape,
  text,
  wrongText,
} from "../settings/shape.ts";
import { CURSOR_EVENTS } from "./events.ts";

/*
 * Cursor ignores a whole hooks.json, our hooks included, when one thing in it is not as it should be. It takes out
 * comments without looking at strings: a `//` in a command cuts off the rest of the line.
 */

/** Why Cursor ignores the hooks of a file that can be parsed; a sentence without its full stop. */
export function whyUnread(written: SettingsText): string | undefined {
  if (written === undefined || written.trim() === "") return undefined;
  const settings = asCursorReads(written);
  if (settings === undefined) return unparsed(written);
  const wrong = wrongIn(settings);
  return wrong === undefined ? undefined : `Cursor ignores a file in which something is wrong: ${wrong}`;
}

function asCursorReads(written: string): unknown {
  try {
    return JSON.parse(written.replaceAll(/\/\/.*$/gm, "").replaceAll(/\/\*[\s\S]*?\*\//g, ""));
  } catch {
    return undefined;
  }
}

function unparsed(written: string): string {
  const lines = written.split("\n");
  const at = lines.findIndex((line) => /"(?:[^"\\]|\\.)*\/[/*](?:[^"\\]|\\.)*"/.test(line));
  if (at === -1) return "Cursor reads JSON without commas before closing brackets only";
  return `Cursor takes // and /* for a comment inside strings too, and line ${at + 1} has one: the rest of the line is lost`;
}

const ANY_HOOK: Readonly<Record<string, Check>> = {
  timeout: seconds,
  failClosed: flag,
  loop_limit: must(
    "a whole number above 0, or null",
    (value) => value === null || (Number.isInteger(value) && Number(value) > 0),
  ),
  matcher: (value, path) => (value === "*" ? undefined : regex(value, path)),
};
const known = shape({
  may: { type: must("command or prompt", (value) => value === "command" || value === "prompt") },
});
const prompt = shape({
  needs: { prompt: must("a string", (value) => typeof value === "string" && value.trim() !== "") },
  may: ANY_HOOK,
});
const command = shape({ needs: { command: text }, may: ANY_HOOK });
const hooks = listOf(
  (hook, path) =>
    known(hook, path) ?? (isRecord(hook) && hook.type === "prompt" ? prompt : command)(hook, path),
);
const file = shape({
  needs: {
    version: must("a whole number from 1", (value) => Number.isInteger(value) && Number(value) >= 1),
    hooks: object,
  },
});

function wrongIn(settings: unknown): string | undefined {
  if (!isRecord(settings)) return "it is not an object";
  const section = isRecord(settings.hooks) ? settings.hooks : {};
  const unknown = Object.keys(section).find((event) => !Object.hasOwn(CURSOR_EVENTS, event));
  const wrong =
    file(settings, []) ??
    firstWrong(Object.entries(section), ([event, given]) => hooks(given, ["hooks", event]));
  if (wrong !== undefined) return wrongText(wrong);
  return unknown === undefined ? undefined : `it has no event ${unknown}`;
}
