import { isRecord } from "../../core/base/json.ts";
import { type SettingsText, valueAt } from "../settings/json-edit.ts";
import { firstWrong, listOf, must, regex, seconds, shape, texts, wrongText } from "../settings/shape.ts";
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

const hooks = listOf(
  shape({
    needs: {
      type: must("command", (value) => value === "command"),
      command: must("a string", (value) => typeof value === "string" && value !== ""),
    },
    may: { args: texts, timeout: seconds },
  }),
);
const groups = listOf(shape({ needs: { hooks } }));
const toolGroups = listOf(shape({ needs: { hooks }, may: { matcher: regex } }));

/** Why Auggie ignores hooks of a file that can be parsed; a sentence without its full stop. */
export function whyUnread(text: SettingsText): string | undefined {
  const section = valueAt(text, ["hooks"]);
  if (section === undefined) return undefined;
  if (!isRecord(section)) return "Auggie wants hooks to be an object";
  const foreign = CURSOR_EVENTS.find((event) => Object.hasOwn(section, event));
  if (foreign !== undefined) return `Auggie ignores all hooks of a file that has hooks on ${foreign}`;
  const wrong = firstWrong(Object.entries(section), ([event, given]) =>
    (TOOL_EVENTS.has(event) ? toolGroups : groups)(given, ["hooks", event]),
  );
  if (wrong === undefined) return undefined;
  return `Auggie ignores all hooks on ${wrong.path[1]} when one of them is wrong: ${wrongText(wrong)}`;
}
