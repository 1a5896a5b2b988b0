import { TenterhookError } from "../../core/base/errors.ts";
import type { AgentSettings } from "./agent-settings.ts";
import type { SettingsText } from "./json-edit.ts";
import { type OwnedFile, ownedFile } from "./owned-file.ts";
import { wantedEvents } from "./wanted-events.ts";

/** Lines of ours in a file that others write too. */
export interface OwnedBlock extends Omit<OwnedFile, "bodyFor" | "mark" | "head"> {
  /** Our lines for these events; `others` is the rest of the file. */
  bodyFor(events: Parameters<OwnedFile["bodyFor"]>[0], others: string): string;
}

const MARK =
  "tenterhook install wrote the lines from here to its end, and tenterhook uninstall removes them.";

/** The settings of an agent whose file has our lines at its end, between two comments; the rest stays to the byte. */
export function ownedBlock(rules: OwnedBlock): AgentSettings {
  const end = `${rules.comment} The end of what tenterhook install wrote.\n`;
  const split = (text: string): { before: string; block: SettingsText; after: string } => {
    const start = text.search(new RegExp(`^${rules.comment} ${MARK}`, "m"));
    if (start === -1) return { before: text, block: undefined, after: "" };
    const stop = text.indexOf(end, start);
    if (stop === -1)
      throw new TenterhookError(
        "settings_unreadable",
        `Line ${text.slice(0, start).split("\n").length}: the comment behind Tenterhook's lines is missing.`,
        { hint: `Put it back behind them, or take them out: ${end.trim()}` },
      );
    const before = text.slice(0, start).replace(/\n$/, "");
    return { before, block: text.slice(start, stop), after: text.slice(stop + end.length) };
  };
  const settingsIn = (text: SettingsText) => {
    const { before, block, after } = split(text ?? "");
    const bodyFor: OwnedFile["bodyFor"] = (events) => rules.bodyFor(events, `${before}\n${after}`);
    return { before, block, after, own: ownedFile({ ...rules, mark: MARK, bodyFor }) };
  };
  /** The text with these lines of ours; one that we made goes with them. */
  const put = (text: SettingsText, lines: SettingsText): SettingsText => {
    const { before, block, after } = settingsIn(text);
    if (lines === block) return text;
    if (lines === undefined) return before === "" && after === "" ? undefined : `${before}${after}`;
    return `${before}${before === "" ? "" : "\n"}${lines}${end}${after}`;
  };
  const entered: AgentSettings["entered"] = (text) => {
    const { own, block } = settingsIn(text);
    return own.entered(block);
  };
  return {
    wanted: (hooks) => wantedEvents(rules, hooks),
    install(text, events) {
      const { own, block } = settingsIn(text);
      return put(text, own.install(block, events));
    },
    uninstall: (text) => put(text, undefined),
    installed: (text) => entered(text).map(({ native }) => native),
    entered,
    drifted(text, events) {
      const { own, block } = settingsIn(text);
      return own.drifted(block, events);
    },
    unread: () => undefined,
    readable: (text) => text,
  };
}
