import type { Bridge } from "../bridge.ts";
import { forkBridge } from "../plugins/opencode/bridge.ts";
import { opencode, opencodeTable } from "./opencode.ts";

export const opencodeBridge: Bridge = forkBridge({
  adapter: opencode,
  table: opencodeTable,
  folder: ".opencode",
  variable: "OPENCODE_CONFIG_DIR",
});
