import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { cursorTable } from "./table.ts";

export const cursor: Adapter = Object.assign(tableCodec(cursorTable), {
  projectVariable: "CURSOR_PROJECT_DIR",
  otherVariables: ["CURSOR_VERSION", "CURSOR_USER_EMAIL", "CURSOR_TRANSCRIPT_PATH"],
});
