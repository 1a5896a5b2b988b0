import { databaseAddress } from "../../../../src/node/postgres/address.ts";
import { freePort } from "../../../support/free-port.ts";
import type { PostgresServer } from "../../../support/postgres.ts";
import { machine, teamMonitor } from "./team.ts";

/** Two daemons on one database, the first of which serves; and a machine that has joined it. */
export async function twoMonitors(server: PostgresServer) {
  const address = databaseAddress(await server.newDatabase(), "url");
  const database = (name: string) => ({ database: { address, name } });
  const serve = { host: "127.0.0.1", port: await freePort() };
  const a = await teamMonitor({ ...database("a"), serve });
  const b = await machine(database("b"));
  const c = await machine();
  const membership = await c.join(a.url, await a.token({ role: "reporter" }), "c");
  return { a, b, c, membership, database, serve };
}
