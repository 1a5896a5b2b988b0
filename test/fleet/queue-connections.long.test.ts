import { once } from "node:events";
import { connect, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openQueue } from "../../src/fleet/queue.ts";
import { databaseAddress } from "../../src/node/postgres/address.ts";
import { cutNetwork } from "../support/faults/cut-network.ts";
import { postgresServer } from "../support/postgres.ts";
import { eventually } from "../support/processes.ts";

const server = await postgresServer();

/** What a server says to a connection when it shuts down: an error, SQL state 57P01. */
const GOODBYE = (() => {
  const fields = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection"].map((field) => `${field}\0`);
  const body = Buffer.from(`${fields.join("")}\0`);
  const head = Buffer.alloc(5, "E");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
})();
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A way to the server. Of the first connections it ends every second one in the moment that it is ready. */
async function endingWay(first: number): Promise<{ readonly port: number; readonly ended: () => number }> {
  let ready = 0;
  let ended = 0;
  const way = createServer((near) => {
    const far = connect(server.port, "127.0.0.1");
    let isNew = true;
    near.on("data", (data) => far.write(data));
    far.on("data", (data) => {
      const isReady = isNew && data.subarray(-READY.length).equals(READY);
      if (isReady) {
        isNew = false;
        ready += 1;
      }
      if (!isReady || ready > first || ready % 2 === 1) near.write(data);
      else {
        ended += 1;
        near.end(Buffer.concat([data, GOODBYE]));
        far.destroy();
      }
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  onTestFinished(() => void way.close());
  const address = way.address();
  if (address === null || typeof address === "string") throw new Error("The way has no port.");
  return { port: address.port, ended: () => ended };
}

describe("the queue", () => {
  it("survives a connection that breaks in the moment it is made", async () => {
    const url = await server.newDatabase();
    const near = await openQueue(databaseAddress(url, "url"));
    onTestFinished(() => near.close());
    await near.add({ run: "r1", fence: 1, priority: 0 });
    const way = await endingWay(2);
    const throughWay = new URL(url);
    throughWay.port = String(way.port);
    const far = await openQueue(databaseAddress(throughWay.href, "url"));
    const seen: string[] = [];
    const handle = async (run: string) => {
      seen.push(run);
      return true;
    };
    const work = far.work({ concurrency: 1, leaseMilliseconds: 60_000, handle });
    onTestFinished(() => work.close());
    await eventually(() => expect(seen).toContain("r1"), 60_000);
    expect(way.ended()).toBe(1);
  });

  it("goes on when the connection on which it waits has gone silent", async () => {
    const url = new URL(await server.newDatabase());
    const near = await openQueue(databaseAddress(url.href, "url"));
    await near.add({ run: "r0", fence: 1, priority: 0 });
    let listening = 0;
    // The first one that wants to hear of runs.
    const network = await cutNetwork(server.port, {
      silences: (data) => data.includes("LISTEN") && listening++ === 0,
    });
    url.port = String(network.port);
    const far = await openQueue(databaseAddress(url.href, "url"));
    const seen: string[] = [];
    const handle = async (run: string) => {
      seen.push(run);
      return true;
    };
    const work = far.work({ concurrency: 1, leaseMilliseconds: 60_000, handle });
    await eventually(() => expect(listening).toBe(1));
    await near.add({ run: "r1", fence: 1, priority: 0 });
    await eventually(() => expect(seen).toEqual(["r0", "r1"]), 60_000);
    await work.close();
    await far.close();
    await near.close();
  });
});
