import { isRecord, parseJson } from "../../core/base/json.ts";
import {
  type Check,
  firstWrong,
  flag,
  listOf,
  must,
  object,
  oneOf,
  shape,
  text,
  wrongText,
} from "../settings/shape.ts";
import { codexTable } from "./codex.ts";

/*
 * Codex rejects a whole hooks.json, our hooks included, when it has another key at its top or a value of another type than
 * it reads. Events that it does not know, and other keys of hooks, it skips.
 */

const KEYS = ["description", "hooks"];

const nothingOr =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path);

const whole = must("a whole number from 0", (value) => Number.isInteger(value) && Number(value) >= 0);
const ANY_HANDLER = { timeout: nothingOr(whole), statusMessage: nothingOr(text) };

const HANDLERS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ["command", shape({ needs: { command: text }, may: { ...ANY_HANDLER, async: flag } })],
  ["mcp_tool", shape({ needs: { server: text, tool: text }, may: { ...ANY_HANDLER, input: object } })],
  ["prompt", object],
  ["agent", object],
]);
const knownType = shape({ needs: { type: oneOf(...HANDLERS.keys()) } });
const handler: Check = (value, path) =>
  knownType(value, path) ?? (isRecord(value) ? HANDLERS.get(value.type)?.(value, path) : undefined);
const groups = listOf(shape({ may: { matcher: nothingOr(text), hooks: listOf(handler) } }));
const file = shape({ may: { description: nothingOr(text), hooks: object } });

/** Why Codex rejects a file that is JSON; a sentence without its full stop. */
export function whyRejected(written: string): string | undefined {
  const settings = parseJson(written.replace(/^\uFEFF/, ""));
  if (!isRecord(settings)) return "Codex rejects a file that is not an object";
  const unknown = Object.keys(settings).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    return `Codex rejects a file with any other key at its top than ${KEYS.join(" and ")}, and this one has ${JSON.stringify(unknown)}`;
  const events = Object.entries(isRecord(settings.hooks) ? settings.hooks : {});
  const wrong =
    file(settings, []) ??
    firstWrong(
      events.filter(([event]) => Object.hasOwn(codexTable.events, event)),
      ([event, given]) => groups(given, ["hooks", event]),
    );
  return wrong === undefined
    ? undefined
    : `Codex rejects a file in which something is wrong: ${wrongText(wrong)}`;
}
