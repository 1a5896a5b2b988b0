import type { Adapter, NativePayload } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { piTable } from "./table.ts";

export const pi: Adapter = Object.assign(tableCodec(piTable), {
  usage: async (payload: NativePayload) => (await import("./usage.ts")).piUsage(payload),
});
