import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import { EFFECTS } from "../../../src/core/events/effects.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** What each key of a reply makes a plug-in do, and on which events; an event of next year can only be refused. */
export type PluginDoes = Readonly<Record<string, Readonly<Record<string, Effect>>>>;

const REFUSED: Readonly<Record<string, Effect>> = { deny: "deny" };

/** What an agent does with a reply to our plug-in, by what the plug-in does with each key. */
export function pluginUnderstands(does: PluginDoes) {
  return (reply: NativeReply, payload: NativePayload): Understood => {
    const isRefused = { verdict: "deny", effects: new Set<Effect>(["deny"]), ends: false } as const;
    if (reply.exit_code !== 0) return { ...isRefused, shown: reply.stderr };
    const event = String(payload.hook_event_name);
    const keys = (Object.hasOwn(does, event) ? does[event] : undefined) ?? REFUSED;
    const output: unknown = reply.stdout === "" ? {} : JSON.parse(reply.stdout);
    if (!isRecord(output)) throw new Error("A reply is an object.");
    const { messages = [], ...others } = output;
    const effects = new Set(Object.keys(others).flatMap((key) => keys[key] ?? []));
    const verdict = (["deny", "ask", "allow"] as const).find((one) => effects.has(one)) ?? "continue";
    return {
      verdict,
      effects: new Set(EFFECTS.filter((effect) => effects.has(effect))),
      ends: effects.has("abort"),
      shown: Array.isArray(messages) ? messages.join("\n") : "",
    };
  };
}
