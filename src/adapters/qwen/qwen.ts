import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { qwenTable } from "./table.ts";

export const qwen: Adapter = Object.assign(tableCodec(qwenTable), {
  projectVariable: "QWEN_PROJECT_DIR",
  sessionVariable: "QWEN_CODE_SESSION_ID",
  usage: async (payload: NativePayload) => (await import("./usage.ts")).qwenUsage(payload),
});
