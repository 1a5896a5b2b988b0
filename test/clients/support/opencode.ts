import { opencodeDriver } from "../../../src/know/prove/drivers/opencode.ts";
import type { Client } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";

/** opencode for the scenarios of all agents. */
export const OPENCODE: Client = {
  ...opencodeDriver,
  title: "opencode",
  run: (given) => runDriver(opencodeDriver, [clientProgram("opencode")], given),
};
