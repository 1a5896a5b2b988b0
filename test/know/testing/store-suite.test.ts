import { memoryStore, type TranscriptStore } from "tenterhook/stores";
import { storeSuite } from "tenterhook/testing";
import { describe, expect, it } from "vitest";

/** The names of the checks that find something. */
async function found(
  fault: (store: TranscriptStore) => Partial<TranscriptStore>,
  durable = false,
): Promise<readonly string[]> {
  const open = (): TranscriptStore => {
    const store = memoryStore();
    return { ...store, ...fault(store) };
  };
  const ends = await Promise.all(
    storeSuite(open, { durable }).map(({ name, run }) =>
      run().then(
        () => [],
        () => [name],
      ),
    ),
  );
  return ends.flat();
}

it("a store that keeps its promises passes", async () => {
  expect(await found(() => ({}))).toEqual([]);
});

describe("a store is found that", () => {
  it.each<[string, (store: TranscriptStore) => Partial<TranscriptStore>, string]>([
    [
      "gives messages back in another order",
      (store) => ({
        load: async (...given) => {
          const found = await store.load(...given);
          return found && { ...found, messages: found.messages.toReversed() };
        },
      }),
      "gives back messages unchanged and in order",
    ],
    [
      "writes an id again",
      (store) => {
        let number = 0;
        return {
          append: (message, owner) => {
            number += 1;
            return store.append({ ...message, id: message.id && `${message.id}${number}` }, owner);
          },
        };
      },
      "writes an id once in a transcript, and the first one counts",
    ],
    [
      "forgets who waits for what",
      (store) => ({ save: ({ waiting_for: _, ...changes }, owner) => store.save(changes, owner) }),
      "remembers what is saved of an agent; a status takes what belongs to it along",
    ],
    [
      "ignores a filter",
      (store) => ({ list: ({ title: _, ...options } = {}) => store.list(options) }),
      "lists by every filter, the last created first",
    ],
    [
      "gives all agents on each page",
      (store) => ({ list: ({ limit: _, ...options } = {}) => store.list(options) }),
      "lists in pages that neither repeat nor leave out, whatever happens between them",
    ],
    [
      "deletes nothing",
      () => ({ delete: async () => true }),
      "deletes an agent with its descendants, and nothing else",
    ],
    [
      "forks everything",
      (store) => ({ fork: (id, { turn_id: _, ...options } = {}) => store.fork(id, options) }),
      "forks at a turn or a message, and leaves the original alone",
    ],
    [
      "grants every claim",
      () => ({ claim: (...given) => memoryStore().claim(...given) }),
      "gives one claim of an agent at a time, tells who has it, and takes it back",
    ],
    [
      "does not notice that its caller knows too little",
      (store) => ({ claim: (owner) => store.claim(owner) }),
      "refuses a claim of one who knows only what was before another's",
    ],
    [
      "throws errors without a code",
      (store) => ({
        append: async (...given) => {
          await store.append(...given).catch((error: unknown) => {
            throw new Error(String(error));
          });
        },
      }),
      "refuses what is no message, and stores nothing of it",
    ],
    [
      "reads on when it is aborted",
      (store) => ({ load: (id) => store.load(id) }),
      "ends reading when it is aborted, and takes nothing after close",
    ],
  ])("%s", async (_, fault, check) => {
    expect(await found(fault)).toContain(check);
  });

  it("claims to be durable and forgets, or does not see what others do in its place", async () => {
    expect(await found(() => ({}), true)).toEqual([
      "is the same after it was closed and opened again",
      "loses and repeats nothing when two write to one place",
      "gives a claim to one of two that share a place, and to the other when the first is closed",
    ]);
  });
});
