import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { copilotTable } from "./table.ts";

/** The adapter of GitHub Copilot CLI. */
export const copilot: Adapter = Object.assign(tableCodec(copilotTable), {
  projectVariable: "COPILOT_PROJECT_DIR",
  oneByOne: true as const,
});
