import { expect, it, onTestFinished } from "vitest";
import { textMessage } from "./support/messages.ts";
import { STORES } from "./support/places.ts";
import { readOnlyDisk } from "./support/read-only-disk.ts";
import { rejected } from "./support/rejected.ts";

const OWNER = { session_id: "s1", agent_id: "s1" };

it.for([
  ["jsonl", "is closed"],
  ["sqlite", "is closed"],
  ["sqlite", "is still open elsewhere"],
] as const)(
  "what a %s store holds that %s can be read where nothing can be written",
  async ([kind, state], { skip }) => {
    const disk = await readOnlyDisk(async (folder) => {
      const store = STORES[kind](folder);
      await store.append(textMessage("a"), OWNER);
      await store.record({ type: "x" }, OWNER);
      await store.save({ title: "Kept" }, OWNER);
      if (state === "is closed") await store.close();
      else onTestFinished(() => store.close());
    });
    if (disk === undefined) return skip("This machine forbids mounts.");
    const store = STORES[kind](disk);
    onTestFinished(() => store.close());
    expect([
      (await store.load("s1"))?.messages,
      await store.activity("s1"),
      (await store.list()).transcripts.map(({ title }) => title),
    ]).toEqual([[textMessage("a")], [{ message_id: "a" }, { item: { type: "x" } }], ["Kept"]]);
    const refused = await rejected(store.append(textMessage("b"), OWNER));
    expect(refused).toMatchObject(["store_failed", expect.any(String)]);
  },
);
