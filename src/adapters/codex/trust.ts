import { createHash } from "node:crypto";
import { join } from "node:path";
import { isRecord, listOf, sameJson } from "../../core/base/json.ts";
import { realPath } from "../../node/files/real-path.ts";
import type { AgentTrust, InstalledFile } from "../integration.ts";
import { isHookCommand } from "../settings/hook-command.ts";
import { valueAt } from "../settings/json-edit.ts";
import { removeTables, setInTable, type TomlTable, tomlTables } from "../settings/toml-tables.ts";

/*
 * Codex runs a hook only when its user has trusted it: it records a hash of the entry, by the file and the place in it,
 * in its config.toml, and skips every other hook without a word. Computed here as Codex 0.166.0 does (seen in the program
 * itself).
 */

export const TRUST_SECTION = "hooks.state";
export const TRUST_KEY = "trusted_hash";

/** The events whose matcher Codex ignores. */
const NO_MATCHER: ReadonlySet<string> = new Set(["UserPromptSubmit", "Stop", "Interrupt", "PreModelRequest"]);
/** Codex ends these hooks after at most three seconds, whatever their timeout. */
export const SHORT_EVENTS: ReadonlySet<string> = new Set(["SessionEnd", "Interrupt"]);
export const MOST_SHORT_SECONDS = 3;

/** Of 0.166, which `codex exec` of a folder that nobody had trusted read. Nobody has tried 0.167 and 0.168. */
const LAST_THAT_READ_ALL = 166;

export const codexTrust: AgentTrust = {
  file: ({ home, environment }) => join(environment.CODEX_HOME ?? join(home, ".codex"), "config.toml"),
  explained: (option) =>
    `Codex skips hooks that you have not trusted, without a word. Trust them in Codex (it asks when it starts, and /hooks shows them), or with tenterhook install codex${option} --trust, which records it in Codex's config.toml.`,
  untrusted: (installed, record) => {
    const known = tomlTables(record, TRUST_SECTION);
    return entriesOf(installed).flatMap(({ event, name, hash }) => {
      const state = Object.hasOwn(known, name) ? known[name] : undefined;
      const isTrusted = isRecord(state) && state[TRUST_KEY] === hash && state.enabled !== false;
      return isTrusted ? [] : [event];
    });
  },
  closedProject: (root, record, version) => {
    if (version !== undefined && Number(version.split(".")[1]) <= LAST_THAT_READ_ALL) return undefined;
    const folders = tomlTables(record, "projects");
    const isTrusted = [root, realPath(root)].some((folder) => {
      const state = folder === undefined ? undefined : folders[folder];
      return isRecord(state) && state.trust_level === "trusted";
    });
    if (isTrusted) return undefined;
    return {
      why: "Codex 0.169 reads the settings of a project only once you have trusted its folder",
      way_out: "Start codex there once and trust it, or: tenterhook install codex --user --trust",
    };
  },
  shifted: (installed, record) => {
    const known = Object.entries(tomlTables(record, TRUST_SECTION));
    return entriesOf(installed).flatMap(({ event, name, hash }) => {
      const place = /(?::\d+){2}$/;
      const isElsewhere = known.some(
        ([other, state]) =>
          other !== name &&
          other.replace(place, "") === name.replace(place, "") &&
          isRecord(state) &&
          state[TRUST_KEY] === hash,
      );
      return isElsewhere ? [event] : [];
    });
  },
  grant: (installed, record) =>
    entriesOf(installed).reduce((text, { name, hash }) => setInTable(text, tableOf(name), hash), record),
  moved: (before, after, record) => {
    const known = tomlTables(record, TRUST_SECTION);
    const now = handlersOf(after);
    const left = [...handlersOf(before)];
    const trusted = now.flatMap(({ name, event, group, handler }) => {
      const isSame = (one: PlacedHandler) =>
        one.event === event && sameJson([one.group.matcher, one.handler], [group.matcher, handler]);
      const at = left.findIndex(isSame);
      const [old] = at === -1 ? [] : left.splice(at, 1);
      const state = old === undefined ? undefined : known[old.name];
      // One that its user turned off is skipped in its new place too: nobody has trusted it there.
      if (old?.name === name || !isRecord(state) || state.enabled === false) return [];
      const hash = state[TRUST_KEY];
      return typeof hash === "string" ? [{ name, hash, old: old?.name }] : [];
    });
    const gone = [...left.map(({ name }) => name), ...trusted.map(({ old = "" }) => old)];
    const kept = removeTables(
      record,
      [...new Set([...gone, ...trusted.map(({ name }) => name)])].map(tableOf),
    );
    return trusted.reduce((text, { name, hash }) => setInTable(text, tableOf(name), hash), kept);
  },
};

function tableOf(name: string): TomlTable {
  return { section: TRUST_SECTION, name, key: TRUST_KEY };
}

interface Entry {
  readonly event: string;
  readonly name: string;
  readonly hash: string;
}

function entriesOf(installed: InstalledFile): readonly Entry[] {
  return handlersOf(installed)
    .filter(({ handler }) => isHookCommand(handler.command))
    .map(({ event, name, group, handler }) => ({
      event,
      name,
      hash: trustHash(event, group.matcher, handler),
    }));
}

type Fields = Readonly<Record<string, unknown>>;

interface PlacedHandler extends Pick<Entry, "event" | "name"> {
  readonly group: Fields;
  readonly handler: Fields;
}

function handlersOf({ file, text }: InstalledFile): readonly PlacedHandler[] {
  const hooks = valueAt(text, ["hooks"]);
  return Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, at) =>
      (isRecord(group) ? listOf(group.hooks) : []).flatMap((handler, index): readonly PlacedHandler[] => {
        if (!isRecord(handler) || !isRecord(group)) return [];
        return [{ event, name: entryName(file, event, at, index), group, handler }];
      }),
    ),
  );
}

/** An entry as Codex calls it: its file, event and place. */
export function entryName(file: string, event: string, group: number, index: number): string {
  return `${file}:${snakeCase(event)}:${group}:${index}`;
}

/** The hash of an entry as Codex understands it: keys in order, defaults filled in. */
export function trustHash(
  event: string,
  matcher: unknown,
  handler: Readonly<Record<string, unknown>>,
): string {
  const { command, timeout, async = false } = handler;
  const given = typeof timeout === "number" ? timeout : undefined;
  const seconds = SHORT_EVENTS.has(event)
    ? Math.min(MOST_SHORT_SECONDS, Math.max(1, given ?? 1))
    : Math.max(1, given ?? 600);
  const identity = {
    event_name: snakeCase(event),
    hooks: [{ async, command, timeout: seconds, type: "command" }],
    ...(typeof matcher === "string" && !NO_MATCHER.has(event) ? { matcher } : {}),
  };
  return `sha256:${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
