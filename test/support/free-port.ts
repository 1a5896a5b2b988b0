import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to connections, and to servers that take any: nobody is given one of these meanwhile. */
const FIRST = 20_000;
const LAST = 32_000;

/** A port of this machine that nobody listens at. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const probe = createServer();
    try {
      await once(probe.listen(port, "127.0.0.1"), "listening");
    } catch {
      continue;
    }
    await once(probe.close(), "close");
    return port;
  }
}
