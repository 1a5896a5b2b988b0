import type { Tool } from "../contracts/tool.ts";
import type { ToolFilter } from "../contracts/tool-types.ts";
import type { AnyEventName } from "../events/event-table.ts";
import type { Handler } from "../ports.ts";
import type { NamedToolOptions } from "./hook.ts";
import type { HookDefinition } from "./hook-definition.ts";
import { withToolNames } from "./tool-filter.ts";
import type { HookFunction, HookOptions } from "./typed-hook.ts";

/** A function hook of a plug-in. Made by {@link hook}. */
export interface PluginHook {
  readonly events: string | readonly string[];
  readonly options: NamedToolOptions;
  readonly run: Handler["run"];
}

/** A pack that ships with the package. */
export type PackName = "safe-shell" | "protect-secrets" | "git-safety" | "no-network";

/**
 * Hooks that others can use: `hooks.use(plugin)`, `new Agent({ plugins })` and, as an npm package with a `hooks.yaml`,
 * `use: [npm:name]` in a configuration. Made by `definePlugin`.
 */
export interface Plugin {
  /** The names of its hooks begin with it: `acme/no-sudo`. Mostly the name of the package. */
  readonly name: string;
  /** Functions, and hooks as a configuration file holds them. */
  readonly hooks?: readonly (PluginHook | HookDefinition)[];
  /** Rules in the one-line language, one a line, about calls of tools. */
  readonly rules?: string;
  /** Tools for an agent. Only `new Agent({ plugins })` reads them. */
  readonly tools?: readonly Tool[];
  /** Packs that ship with Tenterhook and that the plug-in builds on. */
  readonly packs?: readonly PackName[];
}

/**
 * A function hook of a plug-in, with the arguments of `hooks.on`.
 *
 * @example
 * hook("PreToolUse", { name: "no-sudo", tools: "Bash" }, ({ tool_input }) =>
 *   String(tool_input.command).startsWith("sudo") ? deny("Without sudo, please.") : undefined)
 */
export function hook<Name extends AnyEventName, const Tools extends ToolFilter>(
  events: Name | readonly Name[],
  options: HookOptions<Tools>,
  run: HookFunction<Name, Tools>,
): PluginHook {
  return { events, options: withToolNames(options), run };
}
