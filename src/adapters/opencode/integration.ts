import type { Integration } from "../integration.ts";
import { forkIntegration } from "../plugins/opencode/integration.ts";
import { opencode, opencodeTable } from "./opencode.ts";

export const opencodeIntegration: Integration = forkIntegration({
  adapter: opencode,
  table: opencodeTable,
  folder: ".opencode",
  variable: "OPENCODE_CONFIG_DIR",
});
