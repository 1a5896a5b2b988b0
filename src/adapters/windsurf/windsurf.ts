import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { windsurfTable } from "./table.ts";

export const windsurf: Adapter = tableCodec(windsurfTable);
