import { type ContextOptions, type ContextOutcome, context } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";

/**
 * A hook that adds text for the model, on any event that takes context.
 *
 * @param text the text, or a function that makes it of the event; an empty one adds nothing.
 * @example hooks.on("UserPromptSubmit", injectContext(() => `It is ${new Date().toISOString()}.`))
 */
export function injectContext(
  text: string | ((event: Readonly<AnyEvent>) => string | undefined),
  options: ContextOptions = {},
): (event: AnyEvent) => ContextOutcome | undefined {
  return (event) => {
    const added = typeof text === "function" ? text(event) : text;
    return added === undefined || added === "" ? undefined : context(added, options);
  };
}
