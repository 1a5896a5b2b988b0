import { appendFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ids } from "./support/messages.ts";
import { CHILD, linesOf, opened } from "./support/opened-jsonl.ts";
import { rejected } from "./support/rejected.ts";

it.each(['{"agent":"s1","message":{"id":"torn","te', '{"agent":"s1","message":{"id":"torn"}}', "\0\0\0"])(
  "a last line that was cut off is not read, and harms nothing that follows: %j",
  async (torn) => {
    const first = opened();
    await first.appendAll(["a", "b"]);
    await first.store.close();
    appendFileSync(first.file, torn);
    const { appendAll, idsIn, file } = opened(first.dir);
    expect(await idsIn()).toEqual(["a", "b"]);
    await appendAll(["c"]);
    await appendAll(["d"]);
    expect([await idsIn(), linesOf(file).at(-1)]).toEqual([["a", "b", "c", "d"], ""]);
    appendFileSync(file, torn);
    await opened(first.dir).appendAll(["torn", "e"]);
    expect(await idsIn()).toEqual(["a", "b", "c", "d", "torn", "e"]);
  },
);

it("damage in the middle is reported with file and line, and nothing is overwritten", async () => {
  const first = opened();
  await first.appendAll(ids(5));
  await first.appendAll(["child-1"], CHILD);
  const lines = linesOf(first.file);
  lines[3] = lines[3]?.slice(0, 20) ?? "";
  writeFileSync(first.file, lines.join("\n"));
  const { store, file, appendAll } = opened(first.dir);
  const place = `${file}, line 4,`;
  expect(await rejected(store.load("s1"))).toEqual([
    "store_damaged",
    `${place} can't be read, and more follows it.`,
  ]);
  expect(await rejected(store.activity("s1"))).toMatchObject([
    "store_damaged",
    expect.stringContaining("line 4"),
  ]);
  await appendAll(["later"]);
  const found: unknown[] = [];
  const loaded = await store.load("s1", { onDamage: (damage) => found.push(damage) });
  expect([loaded?.messages.map(({ id }) => id), found]).toEqual([
    ["m-0", "m-1", "m-3", "m-4", "later"],
    [{ place }],
  ]);
  expect(linesOf(file).slice(0, lines.length - 1)).toEqual(lines.slice(0, -1));
});

it("lines that are missing in the middle are reported with their place, and the rest can be had", async () => {
  const first = opened();
  await first.appendAll(ids(5));
  await first.appendAll(["child-1"], CHILD);
  const lines = linesOf(first.file);
  writeFileSync(first.file, [...lines.slice(0, 2), ...lines.slice(4)].join("\n"));
  const { store, file, appendAll } = opened(first.dir);
  const place = `${file}, 2 lines before line 3,`;
  expect(await rejected(store.load("s1"))).toEqual([
    "store_damaged",
    `${place} can't be read, and more follows it.`,
  ]);
  await appendAll(["later"]);
  const found: unknown[] = [];
  const loaded = await store.load("s1", { onDamage: (damage) => found.push(damage) });
  expect([loaded?.messages.map(({ id }) => id), found]).toEqual([
    ["m-0", "m-3", "m-4", "later"],
    [{ place }],
  ]);
  expect((await store.load(CHILD.agent_id))?.messages).toHaveLength(1);
});

it("also a line that is no message is missed, and the first one", async () => {
  const { store, file, appendAll } = opened();
  await appendAll(["a"]);
  await store.record({ type: "checkpoint" }, { agent_id: "s1", session_id: "s1" });
  await appendAll(["b"]);
  const lines = linesOf(file);
  for (const missing of [0, 2]) {
    writeFileSync(file, lines.filter((_, at) => at !== missing).join("\n"));
    expect(await rejected(store.load("s1"))).toMatchObject(["store_damaged", /1 line before line \d, /]);
  }
});

it("a file of an earlier version, whose lines have no numbers, is read and continued", async () => {
  const first = opened();
  await first.appendAll(["a", "b"]);
  await first.store.close();
  const old = linesOf(first.file).map((line) => line.replace(/"n":\d+,/, ""));
  writeFileSync(first.file, old.join("\n"));
  const { appendAll, idsIn, file } = opened(first.dir);
  expect(await idsIn()).toEqual(["a", "b"]);
  await appendAll(["c"]);
  appendFileSync(file, '{"agent":"s1","message":{"id":"d"}}\n');
  await appendAll(["e"]);
  expect(await idsIn()).toEqual(["a", "b", "c", "d", "e"]);
  const lines = linesOf(file);
  writeFileSync(file, lines.filter((_, at) => at !== 1).join("\n"));
  await expect(idsIn()).rejects.toThrow("1 line before line 3,");
});

it("a line that can't be read is damaged unless it is marked as cut off", async () => {
  const { file, appendAll, store } = opened();
  await appendAll(["a"]);
  appendFileSync(file, 'bro{"torn":true}\nbroken\n{"agent":"s1","message":{"id":"b"}}\n');
  expect(await rejected(store.load("s1"))).toEqual([
    "store_damaged",
    `${file}, line 4, can't be read, and more follows it.`,
  ]);
});

it("what another process was writing when its line looked cut off is kept", async () => {
  const { file, appendAll, idsIn } = opened();
  await appendAll(["a"]);
  appendFileSync(file, '{"agent":"s1","message":{"id":"b"}}\n{"torn":true}\n');
  expect(await idsIn()).toEqual(["a", "b"]);
});
