import type { Bridge } from "../bridge.ts";
import { opencodeBridge } from "../plugins/opencode/bridge.ts";
import { kilo, table } from "./kilo.ts";

/** Kilo for the command line. */
export const kiloBridge: Bridge = opencodeBridge({
  adapter: kilo,
  table,
  folder: ".kilo",
  variable: "KILO_CONFIG_DIR",
});
