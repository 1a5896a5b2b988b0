import { chmodSync, rmSync } from "node:fs";
import { daemonPlace } from "../../../monitor/daemon/place.ts";
import { listening, serverOf } from "../../../monitor/daemon/server.ts";
import { callServer } from "./serve.ts";
import { warmPool } from "./warm/pool.ts";

/** Decides calls until the daemon, whose child this process is, has ended. */
export async function serveDaemon(): Promise<void> {
  process.on("disconnect", () => process.exit());
  if (!process.connected) process.exit();
  const log = (error: unknown): void => {
    process.send?.(error instanceof Error ? String(error.stack) : String(error));
  };
  process.on("unhandledRejection", log);
  const { hookSocket } = daemonPlace(process.env);
  if (hookSocket === undefined) return;
  const [, script = ""] = process.argv;
  const server = serverOf(callServer({ log, warm: warmPool({ script }) }), log);
  rmSync(hookSocket, { force: true });
  await listening(server, { path: hookSocket });
  chmodSync(hookSocket, 0o600);
}
