import type { Integration, SettingsPlaces } from "../../../adapters/integration.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { isTenterhookError } from "../../../core/base/errors.ts";
import type { Finding } from "../../../install/finding.ts";
import type { Invocation } from "../../command-line/command.ts";
import { counted } from "../../command-line/screen/text.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { foundHooks } from "../integrations/import/found.ts";
import { run as importFrom } from "../integrations/import.ts";

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
  let hooks = 0;
  for (const integration of found) {
    const number = hooksToBring(integration, places, isUser);
    if (number === 0) continue;
    try {
      await importFrom({
        ...invocation,
        names: [integration.adapter.name],
        options: { ...invocation.options, remove: true, yes: true },
        json: true,
      });
      hooks += number;
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      const why = [errorMessage(error), error.hint ?? ""].join(" ").trim();
      const message = `${counted(number, "hook")} stayed in its settings: ${why}`;
      left.push({ level: "warning", about: integration.table.title, message });
    }
  }
  return { hooks, left };
}
