import type { NativeReply } from "../../adapters/adapter.ts";
import { readCompiled } from "../../config/cache/compiled.ts";
import type { Config } from "../../config/config.ts";
import { isTenterhookError } from "../../core/errors.ts";
import { isRecord } from "../../core/json.ts";
import { ADAPTERS, adapterFor } from "./agents.ts";
import { oneShotHooks } from "./one-shot-hooks.ts";

/** The variables of the process an agent started. */
export type Variables = NodeJS.ProcessEnv;

/**
 * Decides one event of a foreign agent: its payload as text in, what it must read out. Never rejects: what can't be
 * decided is refused where the event is a gate.
 */
export async function answer(text: string, environment: Variables): Promise<NativeReply> {
  let payload: unknown;
  let adapter = ADAPTERS[0];
  try {
    payload = JSON.parse(text);
    if (!isRecord(payload)) throw new Error("The payload is not an object.");
    adapter = adapterFor(payload, environment);
    const event = adapter.decode(payload);
    const config = await configFor(event.cwd, environment);
    const hooks = await oneShotHooks(config, event.hook_event_name);
    const decision = await hooks.fireUntyped(event);
    return adapter.encode(decision, event, config.settings.degrade);
  } catch (error) {
    const reason = `tenterhook could not decide: ${messageOf(error)}`;
    return adapter?.refuse(payload, reason) ?? { stdout: "", stderr: reason, exit_code: 2, losses: [] };
  }
}

async function configFor(cwd: string, environment: Variables): Promise<Config> {
  const places = { cwd, environment };
  const compiled = readCompiled(places);
  if (compiled !== undefined) return compiled.config;
  const { loadConfigCached } = await import("../../config/open.ts");
  return loadConfigCached(places);
}

function messageOf(error: unknown): string {
  if (isTenterhookError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
