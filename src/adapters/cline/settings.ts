import type { AgentSettings } from "../settings/agent-settings.ts";
import { ownedFolder } from "../settings/owned-folder.ts";
import { CLINE_EVENTS } from "./events.ts";
import { scriptFor } from "./script.ts";
import { clineTable } from "./table.ts";

/** Cline waits so long for a hook, whatever the hook is. */
const WAITS_SECONDS = 120;

/** Of the endings that Cline knows, this one comes last: ours is the last input among the hooks of a folder. */
function nameOf(native: string): string {
  return `${native.split(".")[0]}.zsh`;
}

/** Our files in a folder of hooks. */
export const CLINE_FILES: readonly string[] = [...new Set(Object.keys(CLINE_EVENTS).map(nameOf))];

const folder = ownedFolder({
  table: clineTable,
  usualSeconds: WAITS_SECONDS,
  toolEvents: new Set(),
  prompts: new Map([["PreToolUse", {}]]),
  comment: "#",
  head: "#!/bin/sh\n",
  bodyFor: scriptFor,
  nameOf,
});

/** The hook files of Cline: one for each event, found by its name. */
export const clineSettings: AgentSettings = {
  ...folder,
  wanted: (hooks) => {
    const { events, never_sent } = folder.wanted(hooks);
    const isFound = (native: string): boolean => CLINE_FILES.includes(nameOf(native));
    return {
      events: events
        .filter(({ native }) => isFound(native))
        .map((event) => ({ ...event, timeout: WAITS_SECONDS })),
      // It finds no file for an event that is newer than the table.
      never_sent: [
        ...never_sent,
        ...events.flatMap(({ native }) => (isFound(native) ? [] : [`${clineTable.name}:${native}`])),
      ],
    };
  },
};
