import { TenterhookError } from "../../core/base/errors.ts";
import type { AgentSettings, WantedEvent } from "../settings/agent-settings.ts";
import type { SettingsText } from "../settings/json-edit.ts";
import { ownedFile } from "../settings/owned-file.ts";
import { tomlTables } from "../settings/toml-tables.ts";
import { type WantedRules, wantedEvents } from "../settings/wanted-events.ts";

/** Where the administrator of a machine says what Codex requires of every user. */
export const REQUIREMENTS = "/etc/codex/requirements.toml";

const MARK =
  "tenterhook install wrote the lines from here to its end, and tenterhook uninstall removes them.";
const START = new RegExp(`^# ${MARK}`, "m");
const END = "# The end of what tenterhook install wrote.\n";

/**
 * How Codex gets our hooks as requirements: always trusted, and in force whatever a user's own files say. Our lines are
 * at the end of the file, between two comments; the rest stays to the byte.
 */
export function codexRequirements(
  rules: WantedRules,
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
  const partsOf = (text: SettingsText) => {
    const { before, block, after } = split(text ?? "");
    const bodyFor = (events: readonly WantedEvent[]): string => {
      const features = featuresIn(`${before}\n${after}`) === undefined ? FEATURES : [];
      return `${[...features, ...events.flatMap(groupLines)].join("\n")}\n`;
    };
    return { block, own: ownedFile({ ...rules, comment: "#", mark: MARK, bodyFor }) };
  };
  /** The text with these lines of ours in place of the old ones; `undefined` when nothing is left. */
  const put = (text: SettingsText, lines: SettingsText): SettingsText => {
    const { before, block, after } = split(text ?? "");
    if (lines === block) return text;
    if (lines === undefined) return before === "" && after === "" ? undefined : `${before}${after}`;
    return `${before}${before === "" ? "" : "\n"}${lines}${END}${after}`;
  };
  const entered: AgentSettings["entered"] = (text) => {
    const { own, block } = partsOf(text);
    return own.entered(block);
  };
  return {
    wanted: (hooks) => wantedEvents(rules, hooks),
    install(text, events) {
      const { own, block } = partsOf(text);
      const written = put(text, own.install(block, events));
      // Throws where the file has what our lines can't stand beside.
      tomlTables(written, "hooks");
      return written;
    },
    uninstall: (text) => put(text, undefined),
    installed: (text) => entered(text).map(({ native }) => native),
    entered,
    drifted(text, events) {
      const { own, block } = partsOf(text);
      return own.drifted(block, events);
    },
    unread: (text) =>
      entered(text).length === 0 || featuresIn(text ?? "")?.hooks === true
        ? undefined
        : { why: "[features] has no hooks = true, so every user can switch hooks off", strippable: false },
    readable: (text) => text,
  };
}

function split(text: string): { before: string; block: SettingsText; after: string } {
  const start = text.search(START);
  if (start === -1) return { before: text, block: undefined, after: "" };
  const stop = text.indexOf(END, start);
  if (stop === -1)
    throw new TenterhookError(
      "settings_unreadable",
      `Line ${text.slice(0, start).split("\n").length}: the comment behind Tenterhook's lines is missing.`,
      { hint: `Put it back behind them, or take them out: ${END.trim()}` },
    );
  const before = text.slice(0, start).replace(/\n$/, "");
  return { before, block: text.slice(start, stop), after: text.slice(stop + END.length) };
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
