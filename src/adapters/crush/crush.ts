import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { crushTable } from "./table.ts";

export const crush: Adapter = Object.assign(tableCodec(crushTable), {
  otherVariables: [
    "CRUSH",
    "AGENT",
    "CRUSH_CWD",
    "CRUSH_PROJECT_DIR",
    "CRUSH_SESSION_ID",
    "CRUSH_EVENT",
    "CRUSH_TOOL_NAME",
    "CRUSH_TOOL_INPUT_COMMAND",
    "CRUSH_TOOL_INPUT_FILE_PATH",
  ],
});
