import type { EventName } from "../events/event-table.ts";
import type { HandlerKeys, HandlerTypeName } from "./handler-types.ts";
import type { HookSettings } from "./hook.ts";
import type { Matcher } from "./matcher.ts";

/* What users of the library see of definitions, apart from the handlers, whose types need those of Node. */

type Together<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer All,
) => void
  ? All
  : never;

/** A hook as a configuration file holds it: its settings, its matcher, its type and the keys of that type. */
export interface WrittenDefinition
  extends Omit<HookSettings, "mode">,
    Partial<Together<HandlerKeys[HandlerTypeName]>> {
  readonly name: string;
  readonly type: string;
  readonly matcher: Matcher & { readonly events: string | readonly string[] };
  /** What the hook is for, in one line of the reference. */
  readonly docs?: string;
}

/** The name of an event in a definition. A program that does not declare a custom event never runs the hook. */
type DefinedEvent = EventName | `${string}:${string}`;

/** A hook as a configuration file holds it. The reference page of configuration keys explains each key. */
export interface HookDefinition extends WrittenDefinition {
  /** How it decides. `prompt` is another name of `llm`. */
  readonly type: HandlerTypeName | "prompt";
  readonly matcher: Matcher & { readonly events: DefinedEvent | readonly DefinedEvent[] };
}
