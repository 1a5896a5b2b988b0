import type { Outcome } from "../core/events/outcomes.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { HookContext } from "../core/ports.ts";
import type { HandlerPorts, HandlerSettings } from "./handler.ts";

/**
 * Asks a hook about an event. One with `written_for` is asked as its own agent would ask it, also when another agent
 * does. `ask` gets what the agent sent, where that is what the hook reads.
 */
export async function askAsWritten(
  { payload, written_for }: Pick<HandlerSettings<"command" | "http" | "mcp">, "payload" | "written_for">,
  event: AnyEvent,
  context: HookContext,
  ports: HandlerPorts,
  ask: (event: AnyEvent, sent: string | undefined) => Promise<readonly Outcome[] | undefined>,
): Promise<readonly Outcome[] | undefined> {
  if (payload !== "native" || written_for === undefined || written_for === event.host)
    return ask(event, context.payload);
  const { askTranslated } = await import("./translate.ts");
  return askTranslated(written_for, event, ports, (translated) => ask(translated, undefined));
}
