import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { kiloTable } from "./table.ts";

export const kilo: Adapter = tableCodec(kiloTable);
