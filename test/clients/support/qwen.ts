import { join } from "node:path";
import { qwenDriver } from "../../../src/know/prove/drivers/qwen.ts";
import type { Client } from "./client.ts";
import { clientPackage, clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";

/** The Node that it needs, and the file that Node runs. */
export const qwenProgram = (): readonly [string, string] => [
  clientProgram("qwen"),
  join(clientPackage("qwen"), "cli-entry.js"),
];

/** Qwen Code, with everything allowed that hooks do not refuse. */
export const QWEN: Client = {
  ...qwenDriver,
  title: "Qwen Code",
  installOptions: ["--user"],
  run: (given) => runDriver(qwenDriver, qwenProgram(), given),
};
