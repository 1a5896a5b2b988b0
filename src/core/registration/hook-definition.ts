import type { DefinitionSite } from "../contracts/definition-site.ts";
import type { Hooks } from "../hooks.ts";
import type { HandlerKeys, HandlerTypeName } from "./handler-types.ts";
import type { HookSettings } from "./hook.ts";
import type { Matcher } from "./matcher.ts";

/* What users of the library see of definitions, apart from the handlers, whose types need those of Node. */

type Together<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer All,
) => void
  ? All
  : never;

/**
 * A hook as a configuration file holds it: its settings, its matcher, its type and the keys of that type. The reference
 * page of configuration keys explains each.
 */
export interface HookDefinition extends HookSettings, Partial<Together<HandlerKeys[HandlerTypeName]>> {
  readonly name: string;
  /** How it decides: `inline`, `command`, `http`, `llm` (or `prompt`), `agent`, `mcp`, `module`, `all`, `any`, `first`. */
  readonly type: string;
  readonly matcher: Matcher & { readonly events: string | readonly string[] };
  /** What the hook is for, in one line of the reference. */
  readonly docs?: string;
}

/** What a hook set can do once it knows the handlers that files name. */
export interface DefinedHooks extends Hooks {
  /**
   * Adds a hook as a configuration file holds it: `{ name, type: "inline", matcher: { events, … }, rules, … }`. Scripts
   * and relative commands start from `site.root`, by default the folder this process works in.
   *
   * @returns a function that removes it again; both take effect at the next event.
   * @throws TenterhookError that names the hook and what is wrong with it.
   */
  add(definition: HookDefinition, site?: DefinitionSite): Promise<() => void>;
  /**
   * Adds packs that ship with the package: `safe-shell`, `protect-secrets`, `git-safety`, `no-network`. All of them or,
   * when one can't be had, none. A pack that is there already is not added twice.
   *
   * @returns a function that removes what this call added.
   * @throws TenterhookError `unknown_pack` with the nearest name.
   */
  use(...packs: readonly string[]): Promise<() => void>;
}
