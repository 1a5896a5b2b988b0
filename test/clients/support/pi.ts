import { piDriver } from "../../../src/know/prove/drivers/pi.ts";
import type { Client } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";

/** pi for the scenarios of all agents. */
export const PI: Client = {
  ...piDriver,
  title: "pi",
  run: (given) => runDriver(piDriver, [process.execPath, clientProgram("pi")], given),
};
