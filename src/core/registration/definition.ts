import { HOOK_SETTINGS, type HookSettings, type NamedToolOptions } from "./hook.ts";
import type { Matcher } from "./matcher.ts";

/** What of a definition goes for the hook as a whole, whatever its handler. */
export interface DefinitionParts {
  readonly events: string | readonly string[];
  readonly options: NamedToolOptions;
}

/** Takes a definition apart: the events it is for, and the settings and the matcher of its hook. */
export function definitionParts(
  definition: Omit<HookSettings, "mode"> & {
    readonly mode?: string;
    readonly matcher: Matcher & { readonly events: string | readonly string[] };
  },
): DefinitionParts {
  const { events, ...matcher } = definition.matcher;
  const settings = Object.entries(definition).filter(
    ([key, value]) => Object.hasOwn(HOOK_SETTINGS, key) && value !== "persistent",
  );
  return { events, options: { ...Object.fromEntries(settings), matcher } };
}
