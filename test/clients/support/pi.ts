import { join } from "node:path";
import { piDriver } from "../../../src/know/prove/drivers/pi.ts";
import type { Client } from "./client.ts";
import { clientPackage, clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";

/** The Node that it needs, and the file that Node runs. */
export const piProgram = (): readonly [string, string] => [
  clientProgram("pi"),
  join(clientPackage("pi"), "dist/bundle/cli.js"),
];

/** pi for the scenarios of all agents. */
export const PI: Client = {
  ...piDriver,
  title: "pi",
  run: (given) => runDriver(piDriver, piProgram(), given),
};
