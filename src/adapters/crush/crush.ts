import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { crushTable } from "./table.ts";

/** The adapter of Crush. */
export const crush: Adapter = tableCodec(crushTable);
