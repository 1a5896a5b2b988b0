import type { Adapter, NativePayload } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/agents.ts";
import { claude } from "../../adapters/claude/claude.ts";

/** The agent a payload comes from: by what only it sends or sets. Claude Code's form is what most others copied. */
export function adapterFor(
  payload: NativePayload,
  environment: Readonly<Record<string, string | undefined>>,
): Adapter {
  return ADAPTERS.find((adapter) => adapter.recognises(payload, environment)) ?? claude;
}
