import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { auggieTable } from "./table.ts";

export const auggie: Adapter = Object.assign(tableCodec(auggieTable), {
  projectVariable: "AUGMENT_PROJECT_DIR",
  sessionVariable: "AUGMENT_CONVERSATION_ID",
  otherVariables: ["AUGMENT_HOOK_EVENT", "AUGMENT_TOOL_NAME"],
});
