import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { windsurfTable } from "./table.ts";

/** The adapter of Windsurf. */
export const windsurf: Adapter = tableCodec(windsurfTable);
