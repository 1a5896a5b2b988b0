import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { opencodeTable } from "./table.ts";

export const opencode: Adapter = tableCodec(opencodeTable);
