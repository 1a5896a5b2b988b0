import type { StatusLineSettings } from "../integration.ts";
import { addMember, editString, removeItems, type SettingsText, valueAt } from "../settings/json-edit.ts";

/** Writes what it reads, and leaves it for the monitor: see client.sh. */
const PROGRAM = "tenterhook agent status-line";
const ALONE = `${PROGRAM} > /dev/null`;
/** Around the command that was there, which runs in the same shell as before, and without our program as it did. */
const [BEFORE, BEHIND] = [`{ ${PROGRAM} || cat; } | {\n`, "\n}"];

const KEY = "statusLine";

/** The status line in Claude Code's settings.json, whose command is told window, cost and rate limits. */
export const claudeStatusLine: StatusLineSettings = {
  install(text) {
    if (valueAt(text, [KEY]) === undefined)
      return addMember(text, [KEY], { type: "command", command: ALONE });
    if (text === undefined || isOurs(text)) return text;
    return editString(
      text,
      [KEY, "command"],
      (written) => `${inQuotes(BEFORE)}${written}${inQuotes(BEHIND)}`,
    );
  },
  uninstall(text) {
    if (text === undefined || !isOurs(text)) return text;
    if (commandIn(text) === ALONE) return removeItems(text, [[KEY]]);
    const cut = (written: string) => written.slice(inQuotes(BEFORE).length, -inQuotes(BEHIND).length);
    return editString(text, [KEY, "command"], cut);
  },
};

function isOurs(text: SettingsText): boolean {
  const command = commandIn(text);
  if (typeof command !== "string") return false;
  return command === ALONE || (command.startsWith(BEFORE) && command.endsWith(BEHIND));
}

function commandIn(text: SettingsText): unknown {
  return valueAt(text, [KEY, "command"]);
}

/** As JSON has it. */
function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
