import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { clineTable } from "./table.ts";

export const cline: Adapter = Object.assign(tableCodec(clineTable), {
  /** It runs the hooks of an event one after another, and all of them see the call as the model made it. */
  nextPayload: (payload: Parameters<Adapter["decode"]>[0]) => payload,
});
