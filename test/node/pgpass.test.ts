import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { passwordsInPgpass, pgpassFor } from "../../src/node/pgpass.ts";
import { createRedactor } from "../../src/node/records/redact.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LINES = String.raw`# host:port:database:user:password
db.example.org:5432:agents:worker:first-password
db.example.org:*:*:worker:sec\:ond\\password
*:*:*:*:last-password
broken line
`;

function home(mode = 0o600) {
  const HOME = temporaryFolder();
  const file = join(HOME, ".pgpass");
  writeFileSync(file, LINES);
  chmodSync(file, mode);
  return { HOME };
}

describe("a password file of PostgreSQL", () => {
  it.each([
    ["postgres://worker@db.example.org/agents", "first-password"],
    ["postgres://worker@db.example.org:6000/agents", "sec:ond\\password"],
    ["postgres://other@elsewhere/agents", "last-password"],
  ])("has the password of %s in the first line that fits", (url, password) => {
    expect(pgpassFor(new URL(url), home())).toBe(password);
  });

  it("that others may read is not used", () => {
    expect(pgpassFor(new URL("postgres://worker@db.example.org/agents"), home(0o644))).toBeUndefined();
  });

  it("that is not there has no password", () => {
    const environment = { HOME: temporaryFolder() };
    expect(pgpassFor(new URL("postgres://worker@db/agents"), environment)).toBeUndefined();
    expect(passwordsInPgpass(environment)).toEqual([]);
  });

  it("keeps all its passwords out of records, also when others may read it", () => {
    const redactor = createRedactor(home(0o644));
    expect(redactor.text("I read first-password and sec:ond\\password, then last-password.")).toBe(
      "I read [redacted] and [redacted], then [redacted].",
    );
  });
});

describe("an address with a password in a variable", () => {
  it("has none that is the name of its user", () => {
    const redactor = createRedactor({ HOME: "/nowhere", DB_URL: "postgres://postgres:postgres@db/agents" });
    expect(redactor.text("The postgres server.")).toBe("The postgres server.");
  });

  it("keeps the password out of records, as it is written and as it is used", () => {
    const url = "postgres://worker:hunter%40hunter@db/agents";
    const redactor = createRedactor({ HOME: "/nowhere", TENTERHOOK_DATABASE_URL: url });
    expect(redactor.text("The password is hunter@hunter, or hunter%40hunter.")).toBe(
      "The password is [redacted], or [redacted].",
    );
    const unwritten = createRedactor({
      HOME: "/nowhere",
      TENTERHOOK_DATABASE_URL: "postgres://w:p@ss:word-1@db/a",
    });
    expect(unwritten.text("The password is p@ss:word-1.")).toBe("The password is [redacted].");
    expect(redactor.text("The database is db/agents of worker.")).toBe(
      "The database is db/agents of worker.",
    );
  });
});
