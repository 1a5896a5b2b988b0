import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { editList } from "../../config/edit/edits.ts";
import { type ConfigDefinition, type LoadOptions, loadConfig } from "../../config.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { writeBackup } from "../../install/change-files.ts";
import { readSettings } from "../../install/settings-files.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { whileClaimed } from "../../node/files/claim-file.ts";
import { makeFolders, makePrivateFolder } from "../../node/files/folders.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { rulesOfHook } from "../../rules/packs/packs.ts";
import { findHook } from "../command-line/find-by-name.ts";
import { usageError } from "../command-line/usage-error.ts";
import { CHANGEABLE, type ChangeableScope, mustStayInside, scopeFile } from "./scope-files.ts";
import { isTrustedFile, keepTrusted } from "./write-checked.ts";

export interface Switch extends LoadOptions {
  /** The hook, the beginning of its name, a pack, or a rule of a pack. */
  readonly name: string;
  readonly enabled: boolean;
  /** When it is on again, if it is to be off for a while. */
  readonly until?: Date;
  /** Which file to change. Default: for `disable` the local one, for `enable` every file that disables it. */
  readonly scope?: ChangeableScope;
}

export interface Switched {
  readonly name: string;
  readonly enabled: boolean;
  readonly changed: readonly string[];
  readonly backups?: readonly string[];
  /** Other hooks with the same name in a file, which changed too. */
  readonly also?: readonly string[];
}

/**
 * Enables or disables a hook, a pack or a rule of one in `hooks.disabled` of a file. Running processes follow at their next event. A trusted
 * file stays trusted.
 *
 * @throws TenterhookError `unknown_hook`, `ambiguous_name`, `managed_hook`, or `write_failed`.
 */
export async function setEnabled(wanted: Switch): Promise<Switched> {
  const { enabled, environment = process.env } = wanted;
  const before = await loadConfig(wanted);
  const found = partsNamed(before.definitions, wanted.name);
  const hook =
    found.find((one) => one.enabled !== enabled) ?? found[0] ?? findHook(before.definitions, wanted.name);
  const { name, origin } = hook;
  if (!enabled && origin.scope === "managed")
    throw new TenterhookError(
      "managed_hook",
      `${name} is managed (${origin.file}:${origin.line}) and can't be disabled.`,
    );
  if (enabled && hook.enabled) return { name, enabled, changed: [] };
  checkScope(hook, wanted);
  // A project's files can't disable a user's own hook.
  const usual: ChangeableScope = origin.scope === "user" ? "user" : "local";
  const scopes = wanted.scope !== undefined ? [wanted.scope] : enabled ? CHANGEABLE : [usual];
  const changed: string[] = [];
  const backups: string[] = [];
  for (const scope of scopes) {
    const file = scopeFile(scope, before.trust.root, environment);
    if (enabled && !existsSync(file)) continue;
    if (scope !== "user") mustStayInside(before.trust.root, file);
    const text = readSettings(file);
    if (!(await change(file, hook, wanted))) continue;
    changed.push(file);
    if (text !== undefined) backups.push(await writeBackup(file, text, environment));
  }
  const after = await loadConfig(wanted);
  const isMeant = (one: ConfigDefinition): boolean => [one.name, one.pack].includes(name);
  const meant = found.length > 0 ? partsNamed(after.definitions, name) : after.definitions.filter(isMeant);
  if (!meant.some((one) => one.enabled === enabled)) throw stillSo(hook, wanted, changed);
  const were = new Map(before.definitions.map((one) => [one.name, one.enabled]));
  const also = after.definitions
    .filter((one) => !isMeant(one) && one.enabled === enabled && were.get(one.name) === !enabled)
    .map((one) => one.name);
  return {
    name,
    enabled,
    changed,
    ...(backups.length === 0 ? {} : { backups }),
    ...(also.length === 0 ? {} : { also }),
  };
}

/** The hooks of a pack, or those that have a rule of a pack: each as if it were a hook of that name. */
function partsNamed(definitions: readonly ConfigDefinition[], name: string): readonly ConfigDefinition[] {
  const asIf = (hook: ConfigDefinition, enabled: boolean): ConfigDefinition => ({
    ...hook,
    name,
    definition: { ...hook.definition, name },
    enabled,
  });
  const ofPack = definitions.filter(({ pack }) => pack === name);
  if (ofPack.length > 0) return ofPack.map((hook) => asIf(hook, hook.enabled));
  if (definitions.some((hook) => hook.name === name)) return [];
  return definitions
    .filter(({ pack, definition }) => pack && rulesOfHook(definition.name).some(({ id }) => id === name))
    .map((hook) => asIf(hook, hook.rules_off?.includes(name) !== true));
}

function checkScope({ name, origin }: ConfigDefinition, { enabled, scope }: Switch): void {
  if (enabled || origin.scope !== "user" || scope === undefined || scope === "user") return;
  throw usageError(
    `${name} is the user's own hook (${origin.file}:${origin.line}); a project's files can't turn it off.`,
    "Leave --project and --local out, or use --user.",
  );
}

/** A name as `hooks.disabled` has it. */
export function entryFor(name: string, until: Date | undefined): string {
  return until === undefined ? name : `${name} until ${until.toISOString().slice(0, 19)}Z`;
}

/** Returns false when there is nothing to change. */
async function change(file: string, hook: ConfigDefinition, wanted: Switch): Promise<boolean> {
  const { environment, signal } = wanted;
  const locks = join(stateFolder(environment), "locks");
  try {
    makePrivateFolder(locks);
    return await whileClaimed(
      join(locks, `${file.replaceAll(/[^\w.-]+/g, "_").slice(-150)}.lock`),
      async () => {
        const text = existsSync(file) ? readFileSync(file, "utf8") : "";
        const names = wanted.enabled ? [hook.name, hook.definition.name] : [hook.name];
        // An item whose time has come goes, too.
        const on = names.reduce((now, name) => editList(file, now, "disabled", name, false), text);
        const edited = wanted.enabled
          ? on
          : editList(file, on, "disabled", hook.name, true, entryFor(hook.name, wanted.until));
        if (edited === text) return false;
        await writeTrusted(file, edited, wanted);
        return true;
      },
      signal,
    );
  } catch (cause) {
    if (isTenterhookError(cause)) throw cause;
    const why = errorMessage(cause);
    throw new TenterhookError("write_failed", `${file} can't be changed: ${why}.`, { cause });
  }
}

/** @throws TenterhookError `write_failed` when the file was not trusted before: the list would have no effect. */
async function writeTrusted(file: string, text: string, options: LoadOptions): Promise<void> {
  if (!(await isTrustedFile(file, options))) {
    throw new TenterhookError("write_failed", `${file} is not trusted, so nothing in it applies.`, {
      hint: "Look at it with tenterhook trust first.",
    });
  }
  await keepTrusted(file, text, options, async () => {
    makeFolders(dirname(file), 0o777);
    await writeAtomically(file, text, { keep: true, mode: 0o644 });
  });
}

function stillSo(
  { name, definition, origin }: ConfigDefinition,
  wanted: Switch,
  changed: readonly string[],
): TenterhookError {
  const state = wanted.enabled ? "off" : "on";
  const files = changed.length === 0 ? "No file was changed" : `${changed.join(", ")} was changed`;
  if (wanted.enabled && definition.enabled === false) {
    return new TenterhookError(
      "write_failed",
      `${name} is still off: its definition at ${origin.file}:${origin.line} says enabled: false.`,
      { hint: "Remove that line." },
    );
  }
  return new TenterhookError("write_failed", `${name} is still ${state}. ${files}.`, {
    hint: wanted.enabled
      ? "Another file turns it off: a managed one, one under use, or one that you left out; or everything is off for a while, which tenterhook on ends. tenterhook check shows more."
      : "tenterhook check shows why.",
  });
}
