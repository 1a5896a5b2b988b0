import type { Bridge } from "../bridge.ts";
import { forkBridge } from "../plugins/opencode/bridge.ts";
import { kilo, kiloTable } from "./kilo.ts";

export const kiloBridge: Bridge = forkBridge({
  adapter: kilo,
  table: kiloTable,
  folder: ".kilo",
  variable: "KILO_CONFIG_DIR",
  warnings: ["Kilo ends a turn although a Stop hook wants it to go on."],
});
