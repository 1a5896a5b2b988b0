import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "tenterhook-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../src/agent/transcripts/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { ids, textMessage } from "./support/messages.ts";
import { rejected } from "./support/rejected.ts";

const OWNER = { session_id: "s1", agent_id: "s1" };

function opened() {
  const folder = join(temporaryFolder(), "made");
  const file = join(folder, "transcripts.db");
  const store = sqliteStore({ file });
  onTestFinished(() => store.close());
  const change = (sql: string): void => {
    const database = new DatabaseSync(file, { timeout: 60_000 });
    database.exec(sql);
    database.close();
  };
  return { folder, file, store, change };
}

it("nothing is opened before it is used, and then for this user alone", async () => {
  const { folder, store } = opened();
  expect(existsSync(folder)).toBe(false);
  await store.append(textMessage("a"), OWNER);
  const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
});

it("everything is in the database itself once the store is closed", async () => {
  const { file, store } = opened();
  await store.append(textMessage("a"), OWNER);
  await store.close();
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

it("damage in the middle is reported with file and row, and the rest can be read", async () => {
  const { file, store, change } = opened();
  for (const id of ids(4)) await store.append(textMessage(id), OWNER);
  change("UPDATE entries SET json = substr(json, 1, 9) WHERE message = 'm-1'");
  const place = `${file}, row 2 of entries,`;
  const message = `${place} can't be read, and more follows it.`;
  expect(await rejected(store.load("s1"))).toEqual(["store_damaged", message]);
  expect(await rejected(store.activity("s1"))).toEqual(["store_damaged", message]);
  const found: unknown[] = [];
  const loaded = await store.load("s1", { onDamage: (damage) => found.push(damage) });
  expect([loaded?.messages.map(({ id }) => id), found]).toEqual([["m-0", "m-2", "m-3"], [{ place }]]);
});

it("a file of a later version, or that is no database, is refused and left alone", async () => {
  const { file, store, change } = opened();
  await store.append(textMessage("a"), OWNER);
  await store.close();
  change("UPDATE schema_version SET version = 99");
  const later = sqliteStore({ file });
  expect(await rejected(later.load("s1"))).toEqual([
    "store_failed",
    `${file} has version 99; this package knows versions up to 1.`,
  ]);
  change("UPDATE schema_version SET version = 1");
  expect((await later.load("s1"))?.messages).toEqual([textMessage("a")]);
  await later.close();
  const text = "this is no database, and longer than the header of one would be".repeat(20);
  const other = join(temporaryFolder(), "notes.txt");
  writeFileSync(other, text);
  expect(await rejected(sqliteStore({ file: other }).load("s1"))).toEqual([
    "store_failed",
    expect.stringContaining("file is not a database"),
  ]);
  expect(statSync(other).size).toBe(text.length);
});

it("lone zeros and halves of characters in ids stay apart", async () => {
  const { store } = opened();
  const names = ["a", '"a"', "a\0", "a\0b", "\ud800", "\ud801", "ä", '"ä"', '"\\u00e4"'];
  for (const name of names) {
    await store.append({ id: name }, { session_id: name, agent_id: name });
    await store.append({ id: name }, { session_id: "all", agent_id: "all" });
  }
  for (const name of names)
    expect((await store.list({ session_id: name })).transcripts.map(({ agent_id }) => agent_id)).toEqual([
      name,
    ]);
  expect((await store.load("all"))?.messages).toEqual(names.map((id) => ({ id })));
});

it("a database that could not be opened at first is written to when it can be", async () => {
  const folder = join(temporaryFolder(), "later");
  writeFileSync(folder, "a file in the place of the folder");
  const store = sqliteStore({ file: join(folder, "transcripts.db") });
  const attempts = ids(2).map((id) => rejected(store.append(textMessage(id), OWNER)));
  const failure = ["store_failed", expect.stringMatching(/^Storing a message failed in /)];
  expect(await Promise.all(attempts)).toEqual([failure, failure]);
  rmSync(folder);
  for (const id of ids(2)) await store.append(textMessage(id), OWNER);
  expect((await store.load(OWNER.agent_id))?.messages.map(({ id }) => id)).toEqual(ids(2));
  await store.close();
});

it("a file in a folder that can't be made is refused at once", async () => {
  const store = sqliteStore({ file: "/proc/none/transcripts.db" });
  expect(await rejected(store.append(textMessage("a"), OWNER))).toEqual([
    "store_failed",
    expect.stringContaining("ENOENT"),
  ]);
});

it("what is being kept while the store is closed is kept", async () => {
  const { file, store } = opened();
  const keeping = store.append(textMessage("a"), OWNER);
  await Promise.all([store.close(), keeping]);
  const later = sqliteStore({ file });
  onTestFinished(() => later.close());
  expect((await later.load("s1"))?.messages).toEqual([textMessage("a")]);
});

it.each([
  ["deleted", () => {}],
  ["replaced by another", (file: string, other: string) => renameSync(other, file)],
])("a message is in the file that has the name, also when the one before was %s", async (_, replace) => {
  const { folder, file, store } = opened();
  await store.append(textMessage("a"), OWNER);
  const other = sqliteStore({ file: join(folder, "other.db") });
  await other.append(textMessage("other"), { session_id: "s2", agent_id: "s2" });
  await other.close();
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  replace(file, join(folder, "other.db"));
  await store.append(textMessage("b"), OWNER);
  const here = await store.load("s1");
  await store.close();
  const later = sqliteStore({ file });
  onTestFinished(() => later.close());
  expect([here?.messages, (await later.load("s1"))?.messages]).toEqual([
    [textMessage("b")],
    [textMessage("b")],
  ]);
});

it("what waits for another writer is kept in order, and stops nobody else in this process", async () => {
  const { file, store } = opened();
  await store.append(textMessage("a"), OWNER);
  const writer = new DatabaseSync(file);
  writer.exec("BEGIN IMMEDIATE");
  const first = store.append(textMessage("b"), OWNER);
  // Another store of the same file has to be opened first.
  const other = sqliteStore({ file });
  onTestFinished(() => other.close());
  const second = new Promise<void>((resolve) => {
    setTimeout(() => resolve(store.append(textMessage("c"), OWNER)), 20);
  });
  const third = other.append(textMessage("d"), { session_id: "s2", agent_id: "s2" });
  // It could not be ended if waiting for it stopped the process.
  setTimeout(() => {
    writer.exec("COMMIT");
    writer.close();
  }, 100);
  await Promise.all([first, second, third]);
  const stored = await store.load("s1");
  expect([stored?.messages, (await other.load("s2"))?.messages]).toEqual([
    ["a", "b", "c"].map((id) => textMessage(id)),
    [textMessage("d")],
  ]);
});
