import type { Config } from "../../config.ts";
import { bridgeOf } from "../bridges/agents.ts";
import { needsOf } from "../bridges/needs.ts";
import { checkSettings } from "../bridges/settings-check.ts";

/**
 * What a user must know when a configuration has come to need events for which an agent does not call us; `undefined` when
 * it calls us for all, or by settings we do not know. Never rejects.
 */
export async function driftNotice(
  config: Config,
  host: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const bridge = await bridgeOf(host);
    const needs = needsOf(config, bridge);
    const installed = checkSettings(bridge, needs, config.trust.root, environment).flatMap(
      ({ events }) => events,
    );
    if (installed.length === 0) return undefined;
    const missing = needs.events.map(({ native }) => native).filter((event) => !installed.includes(event));
    if (missing.length === 0) return undefined;
    return `The hooks in force need ${missing.join(", ")}, and ${bridge.title} does not call us for that: tenterhook install --sync.`;
  } catch {
    return undefined;
  }
}
