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
export interface HookDefinition
  extends Omit<HookSettings, "mode">,
    Partial<Together<HandlerKeys[HandlerTypeName]>> {
  readonly name: string;
  /** How it decides: `inline`, `command`, `http`, `llm` (or `prompt`), `agent`, `mcp`, `module`, `all`, `any`, `first`. */
  readonly type: string;
  readonly matcher: Matcher & { readonly events: string | readonly string[] };
  /** What the hook is for, in one line of the reference. */
  readonly docs?: string;
}
