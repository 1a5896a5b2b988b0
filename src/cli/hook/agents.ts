import type { Adapter, NativePayload } from "../../adapters/adapter.ts";
import { claude } from "../../adapters/claude/claude.ts";

/** Every agent whose payloads we understand, in the order they are asked whether one is theirs. */
export const ADAPTERS: readonly Adapter[] = [claude];

/** The agent a payload comes from: by what only it sends or sets. Claude Code's form is what most others copied. */
export function adapterFor(
  payload: NativePayload,
  environment: Readonly<Record<string, string | undefined>>,
): Adapter {
  return ADAPTERS.find((adapter) => adapter.recognises(payload, environment)) ?? claude;
}
