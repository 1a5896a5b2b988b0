import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems hand out by themselves, for port 0 and for connections: those may be taken at any moment. */
const [FIRST, LAST] = [10_000, 32_000];

/** A port of this machine that nobody listens at, and that nobody gets who does not ask for it by its number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch {
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
