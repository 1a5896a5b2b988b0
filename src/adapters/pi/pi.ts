import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { piTable } from "./table.ts";

/** The adapter of pi. */
export const pi: Adapter = tableCodec(piTable);
