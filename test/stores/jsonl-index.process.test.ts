import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { jsonlStore } from "../../src/stores/transcripts/jsonl/jsonl-store.ts";
import { ids } from "./support/messages.ts";
import { OWNER, opened } from "./support/opened-jsonl.ts";

it("a list is read from the index, and is right without one or with one that is behind", async () => {
  const { dir, store, file, appendAll } = opened();
  await appendAll(ids(3));
  await store.save({ title: "first" }, OWNER);
  const index = join(dirname(file), `${basename(file, ".jsonl")}.index.json`);
  const titles = async () => (await jsonlStore({ dir }).list()).transcripts.map(({ title }) => title);
  const behind = readFileSync(index, "utf8");
  writeFileSync(index, behind.replace("first", "from the index"));
  expect(await titles()).toEqual(["from the index"]);
  await store.save({ title: "second" }, OWNER);
  const whole = await titles();
  writeFileSync(index, behind);
  const caughtUp = await titles();
  writeFileSync(index, behind.slice(0, 40));
  const broken = await titles();
  rmSync(index);
  expect([whole, caughtUp, broken, await titles()]).toEqual(Array.from({ length: 4 }, () => ["second"]));
});

it("the index is not written again for the usage that a running agent saves with each message", async () => {
  const { dir, store, file, appendAll } = opened();
  await store.save({ title: "first" }, OWNER);
  const index = file.replace(/\.jsonl$/, ".index.json");
  const before = readFileSync(index, "utf8");
  await appendAll(ids(3));
  await store.save({ usage: { total_tokens: 7 } }, OWNER);
  expect(readFileSync(index, "utf8")).toBe(before);
  expect((await jsonlStore({ dir }).list()).transcripts[0]?.usage).toEqual({ total_tokens: 7 });
  await store.save({ status: "complete" }, OWNER);
  expect(readFileSync(index, "utf8")).not.toBe(before);
});

it("an index of a file that was made again is not believed, and one worth having is written by readers", async () => {
  const { dir, store, file, appendAll } = opened();
  await store.save({ title: "old" }, OWNER);
  const index = file.replace(/\.jsonl$/, ".index.json");
  const old = readFileSync(index, "utf8");
  await store.delete("s1");
  expect(readdirSync(dirname(file))).toEqual([]);
  await appendAll(ids(2));
  await store.append({ id: "long", text: "x".repeat(300_000) }, OWNER);
  writeFileSync(index, old);
  const listed = await jsonlStore({ dir }).list();
  expect(listed.transcripts.map(({ title }) => title)).toEqual([undefined]);
  expect(JSON.parse(readFileSync(index, "utf8"))).toMatchObject({ covers: statSync(file).size });
});

it("what a process left that was killed while it wrote the index is removed, and nothing else", async () => {
  const { store, file, appendAll } = opened();
  const folder = dirname(file);
  const { pid: gone } = spawnSync(process.execPath, ["-e", ""]);
  const names = [
    `.${gone}-0123456789ab.tmp`,
    `.${gone}-0123456789ac.tmp`,
    `.${process.pid}-0123456789ab.tmp`,
  ];
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), "{}");
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of names.slice(0, 1).concat(names.slice(2)))
    utimesSync(join(folder, name), longAgo, longAgo);
  await appendAll(["a"]);
  await store.close();
  expect(readdirSync(folder).toSorted()).toEqual([basename(file), ...names.slice(1)].toSorted());
});
