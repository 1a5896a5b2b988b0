import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { geminiTable } from "./table.ts";

export const gemini: Adapter = Object.assign(tableCodec(geminiTable), {
  projectVariable: "GEMINI_PROJECT_DIR",
  otherVariables: ["GEMINI_CLI", "GEMINI_SESSION_ID", "GEMINI_CWD", "GEMINI_PLANS_DIR"],
  usage: async (payload: NativePayload) => (await import("./usage.ts")).geminiUsage(payload),
});
