import { once } from "node:events";
import { connect as connectTo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { tell } from "../../../src/node/postgres/news.ts";
import { cutNetwork } from "../../support/faults/cut-network.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { failureWithout, open } from "./support/open.ts";

const server = await postgresServer();
const failure = failureWithout(server.password);

/** A message of PostgreSQL's protocol. */
function message(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
}

describe("while the server is away", () => {
  it.each(["SIGINT", "SIGKILL"] as const)("after %s, work waits and goes on", async (signal) => {
    const database = await open(await server.newDatabase(), undefined, { patienceMilliseconds: 60_000 });
    await database.query("INSERT INTO tenterhook.things VALUES (1, 'before')");
    const news: (string | undefined)[] = [];
    const follower = database.follow("things", (text) => news.push(text));
    await eventually(() => expect(news).toContain(undefined));
    await server.stop(signal);
    const waiting = Promise.all([
      database.query("SELECT name FROM tenterhook.things WHERE id = 1"),
      database.transaction(({ query }) =>
        query("INSERT INTO tenterhook.things VALUES (2, 'meanwhile') ON CONFLICT DO NOTHING"),
      ),
    ]);
    await server.start();
    expect((await waiting)[0]).toEqual([{ name: "before" }]);
    await eventually(async () => {
      await tell(database, "things", "back");
      expect(news).toContain("back");
    });
    await follower.close();
  });

  it("closing ends the waiting", async () => {
    const database = await open(await server.newDatabase(), [], { patienceMilliseconds: 600_000 });
    await server.stop("SIGINT");
    onTestFinished(() => server.start());
    const waiting = failure(database.query("SELECT 1"));
    await database.close();
    expect(await waiting).toMatch(/^store_failed: The database .* can't be reached/);
  });
});

describe("a connection", () => {
  it("that the server ends in the moment it is made does not end the process", async () => {
    const ready = [message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))];
    const ended = message(
      "E",
      Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"),
    );
    let connections = 0;
    const front = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      if (connections > 1) socket.pipe(connectTo(server.port, "127.0.0.1")).pipe(socket);
      // Both in one packet: the connection is there and gone before anybody could look at it.
      else socket.once("data", () => socket.end(Buffer.concat([...ready, ended])));
    });
    front.listen(0, "127.0.0.1");
    await once(front, "listening");
    onTestFinished(() => void front.close());
    const address = front.address();
    const way = new URL(await server.newDatabase());
    way.port = String(typeof address === "object" ? address?.port : "");
    const database = await open(way.href);
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(connections).toBeGreaterThan(1);
  });

  it("that goes silent is given up: its statements are done on others, and news are heard again", async () => {
    const url = new URL(await server.newDatabase());
    const there = await open(url.href, []);
    const network = await cutNetwork(server.port);
    url.port = String(network.port);
    const here = await open(url.href, [], { answerMilliseconds: 500, patienceMilliseconds: 60_000 });
    const heard = new Set<string | undefined>();
    here.follow("a", (text) => heard.add(text));
    await eventually(() => expect(heard.size).toBe(1));
    network.cut();
    const asked = [1, 2, 3].map((number) => here.query("SELECT $1::integer AS number", [number]));
    await pause(1500);
    network.healForNew();
    expect(await Promise.all(asked)).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]]);
    await eventually(async () => {
      await there.transaction((transaction) => tell(transaction, "a", "back"));
      expect(heard).toContain("back");
    });
  });
});
