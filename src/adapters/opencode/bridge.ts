import type { Bridge } from "../bridge.ts";
import { opencodeBridge as bridgeOf } from "../plugins/opencode/bridge.ts";
import { opencode, table } from "./opencode.ts";

/** opencode for the command line. */
export const opencodeBridge: Bridge = bridgeOf({
  adapter: opencode,
  table,
  folder: ".opencode",
  variable: "OPENCODE_CONFIG_DIR",
});
