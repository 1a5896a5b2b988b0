import type { Integration, SettingsPlaces } from "../../../adapters/integration.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { isTenterhookError } from "../../../core/base/errors.ts";
import type { Finding } from "../../../install/finding.ts";
import type { Invocation } from "../../command-line/command.ts";
import { counted } from "../../command-line/screen/text.ts";
import { keepTrusted, writeChecked } from "../../configured-hooks/write-checked.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { foundHooks } from "../integrations/import/found.ts";
import { importHooks } from "../integrations/import.ts";

/** How many hooks an agent has in the settings of its user, or of the project. What plug-ins and local settings have stays there. */
export function hooksToBring(integration: Integration, places: SettingsPlaces, isUser: boolean): number {
  return foundHooks(integration, places)
    .filter(({ scope }) => scope === (isUser ? "user" : "project"))
    .reduce((sum, { hooks }) => sum + hooks, 0);
}

/** Has these hooks run through us, and no longer in the agents' settings. Says nothing; returns how many, and why others stayed. */
export async function bringAlong(found: readonly Integration[], isUser: boolean, invocation: Invocation) {
  const places = await projectPlaces(invocation);
  const left: Finding[] = [];
  let moved = 0;
  for (const integration of found) {
    const { adapter, importing, table } = integration;
    const number = hooksToBring(integration, places, isUser);
    if (importing === undefined || number === 0) continue;
    const options = { ...invocation.options, remove: true, yes: true };
    try {
      const { removed } = await importHooks(
        { ...integration, importing },
        { ...invocation, options, json: true },
        // The set-up has written this configuration, or its user trusts it.
        (edit, place) => keepTrusted(edit.file, edit.after, place, () => writeChecked(edit, place)),
      );
      moved += removed;
      if (removed < number)
        left.push({
          level: "note",
          about: table.title,
          message: `${counted(number - removed, "hook")} stayed in its settings`,
          fix: `tenterhook import ${adapter.name}${isUser ? " --user" : ""}`,
        });
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      const why = [errorMessage(error), error.hint ?? ""].join(" ").trim();
      const message = `${counted(number, "hook")} stayed in its settings: ${why}`;
      left.push({ level: "warning", about: table.title, message });
    }
  }
  return { moved, left };
}
