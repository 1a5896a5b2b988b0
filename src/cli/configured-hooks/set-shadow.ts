import { readFileSync } from "node:fs";
import { intoShadow } from "../../config/edit/edits.ts";
import { loadConfig } from "../../config.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { findHook } from "../command-line/find-by-name.ts";
import type { Place } from "./load-hooks.ts";
import { keepTrusted, writeChecked } from "./write-checked.ts";

/**
 * Puts a hook or a pack into shadow mode, in the file where it is written.
 *
 * @returns the file; `undefined` when it was in shadow mode already.
 * @throws TenterhookError `unknown_hook`, `ambiguous_name`, `managed_hook`, or `write_failed`.
 */
export async function setShadow(given: string, place: Place): Promise<{ name: string; file?: string }> {
  const { definitions } = await loadConfig(place);
  const hook = definitions.find(({ pack }) => pack === given) ?? findHook(definitions, given);
  const name = hook.pack === given ? given : (hook.pack ?? hook.name);
  const { file, scope } = hook.origin;
  if (scope === "managed")
    throw new TenterhookError("managed_hook", `${name} is managed (${file}) and can't be changed.`);
  if (hook.definition.mode === "shadow") return { name };
  const before = readFileSync(file, "utf8");
  const after = intoShadow(file, before, name);
  await keepTrusted(file, after, place, () => writeChecked({ file, before, after }, place));
  return { name, file };
}
