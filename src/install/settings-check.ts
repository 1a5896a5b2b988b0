import type { SettingsScope } from "../adapters/integration.ts";
import type { Drifted, Unread } from "../adapters/settings/agent-settings.ts";
import { neededIn } from "./file-needs.ts";
import type { Installation, InstallationFile } from "./installation.ts";
import type { Needs } from "./needs.ts";
import { eventsFor } from "./settings-files.ts";

/** An agent's settings file compared with what the hooks in force need. */
export interface Checked {
  readonly scope: SettingsScope | "managed";
  readonly file: string;
  /** The events with an entry of ours. */
  readonly events: readonly string[];
  /** Events that hooks need and that have no entry. */
  readonly missing: readonly string[];
  /** Events with an entry that no hook needs; empty for a file that other folders share. */
  readonly extra: readonly string[];
  /** Our entries that differ from what would be written now. */
  readonly drifted: readonly Drifted[];
  readonly unread?: Unread | undefined;
  readonly untrusted?: readonly string[];
  /** Why the file can't be read. */
  readonly problem?: string | undefined;
}

/** Without `needs`, only what is installed. Never throws. */
export function checkFile(
  one: InstallationFile,
  needs: Needs | undefined,
  installation: Installation,
): Checked {
  const { place: scope, file, text, events, unread, untrusted, problem, integration } = one;
  const known = { scope, file, events, unread, untrusted, problem: problem?.message };
  if (events.length === 0 || needs === undefined) return { ...known, missing: [], extra: [], drifted: [] };
  const needed = neededIn(one, needs, installation);
  const wanted = eventsFor(integration, one, text, needed, installation.places.root);
  const isWanted = (event: string) => wanted.some(({ native }) => native === event);
  return {
    ...known,
    missing: needed.map(({ native }) => native).filter((event) => !events.includes(event)),
    extra: events.filter((event) => !isWanted(event)),
    drifted: integration.settings.drifted(text, wanted),
  };
}
