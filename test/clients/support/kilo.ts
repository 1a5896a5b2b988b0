import { kiloDriver } from "../../../src/know/prove/drivers/opencode.ts";
import type { Client } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";

/** Kilo for the scenarios of all agents. */
export const KILO: Client = {
  ...kiloDriver,
  title: "Kilo",
  run: (given) => runDriver(kiloDriver, [clientProgram("kilo")], given),
};
