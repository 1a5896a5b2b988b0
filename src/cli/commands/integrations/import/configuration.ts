import { checkFile } from "../../../../config/check-file.ts";
import { addDefinitions, type WrittenDefinition } from "../../../../config/edit/edits.ts";
import { setIn } from "../../../../config/edit/set-in.ts";
import { parseText } from "../../../../config/parse/parse.ts";
import { isRecord, sameJson } from "../../../../core/base/json.ts";
import type { Limits } from "../../../../core/registration/limits.ts";
import { readSettings } from "../../../../install/settings-files.ts";
import type { Invocation } from "../../../command-line/command.ts";
import type { ConfigEdit } from "../../../configured-hooks/write-checked.ts";

/** A configuration file as it is, with the definitions in it. */
export function readConfiguration(file: string): {
  readonly text: string;
  readonly definitions: readonly WrittenDefinition[];
} {
  const text = readSettings(file) ?? "";
  const { value } = parseText(file, text);
  const hooks = isRecord(value) ? value.hooks : undefined;
  const definitions =
    isRecord(hooks) && Array.isArray(hooks.definitions) ? hooks.definitions.filter(isRecord) : [];
  return { text, definitions };
}

/** A file with more definitions and, in the user's own file, with higher limits. */
export function withDefinitions(file: string, definitions: readonly WrittenDefinition[]): ConfigEdit {
  const { text } = readConfiguration(file);
  return {
    file,
    before: text,
    after: definitions.length === 0 ? text : addDefinitions(file, text, definitions),
  };
}

/** The edit with limits that are at least these. Limits that are higher already stay. */
export function withLimits(edit: ConfigEdit, limits: Partial<Limits>): ConfigEdit {
  const { value } = parseText(edit.file, edit.after);
  const hooks = isRecord(value) ? value.hooks : undefined;
  const now = isRecord(hooks) && isRecord(hooks.limits) ? hooks.limits : {};
  const after = Object.entries(limits).reduce((text, [name, wanted]) => {
    const given = now[name];
    return typeof given === "number" && given >= wanted
      ? text
      : setIn(edit.file, text, ["hooks", "limits", name], wanted);
  }, edit.after);
  return { ...edit, after };
}

/** What a definition names is not looked for in the folder where it stands. */
const NOWHERE = "/nowhere";

/** Why a definition does not load; `undefined` when it does. */
export async function definitionProblem(
  definition: WrittenDefinition,
  { signal }: Invocation,
): Promise<string | undefined> {
  const text = JSON.stringify({ hooks: { definitions: [definition] } });
  const { problems } = await checkFile("hooks.json", NOWHERE, { text, signal });
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(" ");
}

/** What a hook does, on which events. Everything else people change after an import; it is still the same hook. */
const DOES = ["type", "matcher", "command", "args", "url", "prompt", "server", "tool", "input", "async"];

/** True when two definitions do the same on the same events, whatever their names and settings. */
export function isSameHook(one: WrittenDefinition, other: WrittenDefinition): boolean {
  return DOES.every((key) => sameJson(one[key], other[key]));
}
