import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { antigravityTable } from "./table.ts";

export const antigravity: Adapter = tableCodec(antigravityTable);
