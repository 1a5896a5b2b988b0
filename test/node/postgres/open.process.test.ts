import { describe, expect, it } from "vitest";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { migrateParts, type Part, versionsOf } from "../../../src/node/postgres/migrate.ts";
import { tell } from "../../../src/node/postgres/news.ts";
import type { Postgres } from "../../../src/node/postgres/open-postgres.ts";
import { postgresServer } from "../../support/postgres.ts";
import { eventually } from "../../support/processes.ts";
import { failureWithout, ONE, open, things } from "./support/open.ts";

const server = await postgresServer();
const failure = failureWithout(server.password);

const TWO = "ALTER TABLE tenterhook.things ADD COLUMN size bigint NOT NULL DEFAULT 7";

describe("tables", () => {
  it("are created with the first use, once, also when many open the database at the same time", async () => {
    const url = await server.newDatabase();
    const opened = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    await Promise.all(
      opened.map((database, id) =>
        database.query("INSERT INTO tenterhook.things VALUES ($1, $2)", [id, `thing ${id}`]),
      ),
    );
    expect(await opened[0]?.query("SELECT count(*) AS count FROM tenterhook.things")).toEqual([{ count: 6 }]);
  });

  it("of an earlier version wait for the command, because other machines need them as they are", async () => {
    const url = await server.newDatabase();
    const before = await open(url);
    expect(await failure(open(url, [things(ONE, TWO)]))).toBe(
      `store_failed: ${before.place} has version 1 of things; this package needs version 2. Update Tenterhook on every machine, then run tenterhook fleet database migrate once.`,
    );
    const parts = [things(ONE, TWO)];
    expect(await before.transaction((one) => migrateParts(one, before.place, parts))).toEqual([
      { part: "things", version: 1, known: 2 },
    ]);
    const after = await open(url, parts);
    await after.query("INSERT INTO tenterhook.things VALUES (1, 'a')");
    expect(await after.query("SELECT * FROM tenterhook.things")).toEqual([{ id: 1, name: "a", size: 7 }]);
  });

  it("of a later version are refused and left alone", async () => {
    const url = await server.newDatabase();
    const later = await open(url, [things(ONE, TWO)]);
    expect(await failure(open(url))).toBe(
      `store_failed: ${later.place} has version 2 of things; this package knows versions up to 1. Update Tenterhook on this machine.`,
    );
    expect(await versionsOf(later, [things(ONE)])).toEqual([{ part: "things", version: 2, known: 1 }]);
  });

  it("are all there or none, when a step fails", async () => {
    const url = await server.newDatabase();
    const broken: Part = { name: "broken", migrations: ["CREATE TABLE tenterhook.half ()", "NONSENSE"] };
    expect(await failure(open(url, [things(ONE), broken]))).toMatch(
      /^store_failed: postgres:.*: syntax error at or near "NONSENSE"\./,
    );
    const database = await open(url, []);
    expect(await versionsOf(database, [things(ONE), broken])).toEqual([
      { part: "things", version: 0, known: 1 },
      { part: "broken", version: 0, known: 2 },
    ]);
  });
});

describe("failures", () => {
  it("say what is wrong and what to do, without the password", async () => {
    const url = await server.newDatabase();
    const { port, password } = server;
    const at = `127.0.0.1:${port}`;
    const quick = { patienceMilliseconds: 0 };
    expect([
      await failure(open(url.replace("tester:", "nobody:"), [])),
      await failure(open(url.replace(password, `${password}x`), [])),
      await failure(open(url.replace(/test_\d+$/, "none"), [])),
      await failure(open(url.replace(`:${port}/`, ":1/"), [], quick)),
      await failure(open("postgres://a:b@no-such-host.invalid/c", [], quick)),
    ]).toEqual([
      expect.stringMatching(
        `^store_failed: The database postgres://nobody@${at}/test_\\d+ refused the user or the password`,
      ),
      expect.stringMatching(/^store_failed: .* refused the user or the password\. .*PGPASSWORD/),
      expect.stringMatching(
        `^store_failed: The server is there, but has no database for postgres://tester@${at}/none. Create it`,
      ),
      expect.stringMatching(
        /^store_failed: The database postgres:\/\/tester@127\.0\.0\.1:1\/test_\d+ can't be reached: connect ECONNREFUSED/,
      ),
      expect.stringMatching(
        /^store_failed: The database postgres:\/\/a@no-such-host\.invalid\/c can't be reached: /,
      ),
    ]);
  });

  it("of an address that is none do not repeat it", () => {
    const said = (url: string) => {
      try {
        databaseAddress(url, "TENTERHOOK_DATABASE_URL");
        return "";
      } catch (error) {
        return String(error);
      }
    };
    expect(["hunter2", "mysql://root:hunter2@host/name", "postgres://u:hunter2@host"].map(said)).toEqual([
      "TenterhookError: TENTERHOOK_DATABASE_URL is no address of a PostgreSQL database.",
      "TenterhookError: TENTERHOOK_DATABASE_URL is no address of a PostgreSQL database.",
      "TenterhookError: TENTERHOOK_DATABASE_URL names no database on host.",
    ]);
  });

  it("of a right that the user lacks name it", async () => {
    const url = await server.newDatabase();
    const owner = await open(url);
    await owner.query("CREATE ROLE reader LOGIN PASSWORD 'reader'");
    expect(await failure(open(url.replace(/tester:[^@]*@/, "reader:reader@")))).toMatch(
      /^store_failed: The user of postgres:\/\/reader@.* lacks a right: permission denied for schema tenterhook\./,
    );
  });
});

describe("a transaction", () => {
  it("is done as a whole or not at all", async () => {
    const database = await open(await server.newDatabase());
    const failing = database.transaction(async ({ query }) => {
      await query("INSERT INTO tenterhook.things VALUES (1, 'a')");
      throw new RangeError("no");
    });
    await expect(failing).rejects.toThrow(new RangeError("no"));
    expect(await database.query("SELECT * FROM tenterhook.things")).toEqual([]);
  });

  it("that another one came before is done again", async () => {
    const database = await open(await server.newDatabase());
    await database.query("INSERT INTO tenterhook.things VALUES (1, 'a'), (2, 'b')");
    const lockBoth = (first: number, second: number) =>
      database.transaction(async ({ query }) => {
        await query("UPDATE tenterhook.things SET name = name || '!' WHERE id = $1", [first]);
        await query("SELECT pg_sleep(0.2)");
        await query("UPDATE tenterhook.things SET name = name || '!' WHERE id = $1", [second]);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    expect(await database.query("SELECT name FROM tenterhook.things ORDER BY id")).toEqual([
      { name: "a!!" },
      { name: "b!!" },
    ]);
  });
});

describe("news", () => {
  it("reach every follower of the channel when the transaction commits, and nobody when it does not", async () => {
    const url = await server.newDatabase();
    const [here, there] = [await open(url, []), await open(url, [])];
    const heard: string[] = [];
    const follow = (database: Postgres, name: string, channel: string) => {
      let looked = 0;
      database.follow(channel, (text) => {
        if (text === undefined) looked += 1;
        else heard.push(`${name}: ${text}`);
      });
      return eventually(() => expect(looked).toBeGreaterThan(0));
    };
    await Promise.all([follow(here, "here", "a"), follow(there, "there", "a"), follow(there, "other", "b")]);
    const failing = here.transaction(async (transaction) => {
      await tell(transaction, "a", "taken back");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await here.transaction((transaction) => tell(transaction, "a", "one"));
    await eventually(() => expect(heard.sort()).toEqual(["here: one", "there: one"]));
  });
});
