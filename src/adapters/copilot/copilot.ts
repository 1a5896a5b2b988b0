import type { Decision } from "../../core/decide/decision.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { copilotTable } from "./table.ts";

export const copilot: Adapter = Object.assign(tableCodec(copilotTable), {
  projectVariable: "COPILOT_PROJECT_DIR",
  otherVariables: ["COPILOT_CLI", "COPILOT_HOOK_DIR"],
  nextPayload,
});

/** Copilot has the next hook see another input or prompt, and nothing else of a hook's reply. */
function nextPayload(payload: NativePayload, { input, prompt }: Decision): NativePayload {
  const place = ["tool_input", "toolArgs"].find((key) => payload[key] !== undefined);
  return {
    ...payload,
    ...(input === undefined || place === undefined ? {} : { [place]: input }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}
