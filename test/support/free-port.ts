import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { isRecord } from "../../src/core/base/json.ts";

/** Below the ports that systems give to connections, and to servers that take any: only who asks for one by its number gets it meanwhile. */
const FIRST = 20_000;
const LAST = 32_000;

/** A port of this machine that nobody listens at. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const probe = createServer();
    try {
      await once(probe.listen(port, "127.0.0.1"), "listening");
    } catch (error) {
      if (isRecord(error) && error.code === "EADDRINUSE") continue;
      throw error;
    }
    await once(probe.close(), "close");
    return port;
  }
}
