import type { Integration } from "../integration.ts";
import { forkIntegration } from "../plugins/opencode/integration.ts";
import { kilo, kiloTable } from "./kilo.ts";

export const kiloIntegration: Integration = forkIntegration({
  adapter: kilo,
  table: kiloTable,
  folder: ".kilo",
  variable: "KILO_CONFIG_DIR",
  since: "7.7.9",
  warnings: ["Kilo ends a turn although a Stop hook wants it to go on."],
});
