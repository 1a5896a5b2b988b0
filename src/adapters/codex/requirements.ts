import type { AgentSettings, WantedEvent } from "../settings/agent-settings.ts";
import { type OwnedBlock, ownedBlock } from "../settings/owned-block.ts";
import { tomlTables } from "../settings/toml-tables.ts";

/** Where the administrator of a machine says what Codex requires of every user. */
export const REQUIREMENTS = "/etc/codex/requirements.toml";

/** How Codex gets our hooks as requirements: always trusted, and in force whatever a user's own files say. */
export function codexRequirements(
  rules: Omit<OwnedBlock, "comment" | "bodyFor">,
  groupFor: (event: WantedEvent) => { readonly matcher?: string; readonly hooks: readonly object[] },
): AgentSettings {
  const groupLines = (event: WantedEvent): readonly string[] => {
    const { hooks, ...selected } = groupFor(event);
    const name = `hooks.${event.native}`;
    return [
      "",
      `[[${name}]]`,
      ...pairs(selected),
      ...hooks.flatMap((hook) => [`[[${name}.hooks]]`, ...pairs(hook)]),
    ];
  };
  const block = ownedBlock({
    ...rules,
    comment: "#",
    bodyFor: (events, others) =>
      `${[...(featuresIn(others) === undefined ? FEATURES : []), ...events.flatMap(groupLines)].join("\n")}\n`,
  });
  return {
    ...block,
    install(text, events) {
      const written = block.install(text, events);
      // Throws where the file has what our lines can't stand beside.
      tomlTables(written, "hooks");
      return written;
    },
    unread: (text) =>
      block.installed(text).length === 0 || featuresIn(text ?? "")?.hooks === true
        ? undefined
        : { why: "[features] has no hooks = true, so every user can switch hooks off", strippable: false },
  };
}

/** Without it a user's own `hooks = false` counts. */
const FEATURES = ["[features]", "hooks = true"];

function featuresIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const features = tomlTables(text, "features");
  return Object.keys(features).length === 0 ? undefined : features;
}

/** Strings are written in TOML as in JSON. */
function pairs(values: object): readonly string[] {
  return Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
}
