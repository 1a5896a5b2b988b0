import { hostname } from "node:os";
import fc from "fast-check";
import { type OpenStore, storeSuite } from "tenterhook/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StoreOptions } from "../../../src/agent/transcripts/store.ts";
import type { TranscriptOwner, TranscriptStore } from "../../../src/core/contracts/transcript.ts";
import { runs, size } from "../../support/long.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { EVERY_KIND, ids, START, textMessage } from "./support/messages.ts";
import { STORES, type StoreKind } from "./support/places.ts";
import { rejected } from "./support/rejected.ts";

/** The agent that is a session by itself. */
const ROOT: TranscriptOwner = { session_id: "s1", agent_id: "s1", agent_type: "main", cwd: "/project" };
const START_TEXT = "2026-01-02T03:04:05.000Z";

/** Text of every kind of unit, halves of characters and zeros included. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
const jsonObject = fc
  .dictionary(fc.oneof(fc.string(), anyText), fc.oneof(fc.jsonValue(), anyText))
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));

/** Opens a store of a kind: a folder for each name, which is removed after the test. */
function inFolder(kind: StoreKind): OpenStore {
  const folders = new Map<string, string>();
  return (name) => {
    const folder = folders.get(name) ?? temporaryFolder();
    folders.set(name, folder);
    return STORES[kind](folder, { environment: {} });
  };
}

/** What every store does alike: what any store must do, and what ours do beyond it. */
export function describeStore(kind: StoreKind): void {
  /** A server takes a database for each run. */
  const times = (usual: number) => runs(kind === "postgres" ? usual / 8 : usual);
  const opened = (options: StoreOptions = {}) => {
    let now = START;
    const clock = { now: () => now };
    const store: TranscriptStore = STORES[kind](temporaryFolder(), { clock, environment: {}, ...options });
    onTestFinished(() => store.close());
    return { store, later: (milliseconds = 1000) => (now += milliseconds) };
  };
  const idsIn = async (store: TranscriptStore, agent_id: string) =>
    (await store.load(agent_id))?.messages.map(({ id }) => id);

  describe(`the ${kind} store`, () => {
    for (const { name, run } of storeSuite(inFolder(kind), { durable: kind !== "memory" })) it(name, run);

    it("gives back messages of every kind, with times of its clock, unchanged and in order", async () => {
      const { store } = opened();
      for (const message of EVERY_KIND) await store.append(message, ROOT);
      expect(await store.load("s1")).toEqual({
        metadata: {
          ...ROOT,
          status: "running",
          created_at: START_TEXT,
          updated_at: START_TEXT,
        },
        messages: EVERY_KIND,
      });
    });

    it("can be copied, with something of one's own in it", async () => {
      const { store } = opened();
      const copy = { ...store, location: () => undefined };
      await copy.append(textMessage("m-1"), ROOT);
      await copy.record({ type: "note" }, ROOT);
      expect(await idsIn(store, "s1")).toEqual(["m-1"]);
    });

    it("gives back whatever JSON holds, under whatever ids", async () => {
      const { store } = opened();
      let number = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.tuple(anyText, jsonObject), { selector: ([id]) => id, maxLength: 8 }),
          anyText,
          async (drawn, suffix) => {
            number += 1;
            const owner = { session_id: `${number} ${suffix}`, agent_id: `${number}/${suffix}` };
            const messages = drawn.map(([id, rest]) => ({ ...rest, id: `-${id}` }));
            await Promise.all(messages.map((message) => store.append(message, owner)));
            const loaded = await store.load(owner.agent_id);
            expect(loaded?.messages ?? []).toEqual(messages);
          },
        ),
        { numRuns: times(16) },
      );
    });

    it("keeps a very long text and very many messages", async () => {
      const { store } = opened();
      const long = { id: "long", text: "ä\ud800\n".repeat(size(300_000, 1_500_000)) };
      await store.append(long, ROOT);
      const many = ids(size(600, 10_000));
      for (let from = 0; from < many.length; from += 500)
        await Promise.all(many.slice(from, from + 500).map((id) => store.append(textMessage(id), ROOT)));
      const loaded = await store.load("s1");
      expect(loaded?.messages.slice(0, 1)).toEqual([long]);
      expect(loaded?.messages.slice(1)).toEqual(many.map((id) => textMessage(id)));
    });

    it("refuses what is no message, and says so", async () => {
      const { store } = opened();
      const circle: { id: string; self?: unknown } = { id: "circle" };
      circle.self = circle;
      expect([
        await rejected(store.append({ id: "" }, ROOT)),
        await rejected(store.append(circle, ROOT)),
        await rejected(store.append({ id: "a" }, { ...ROOT, agent_id: "" })),
      ]).toEqual([
        ["invalid_record", 'A message for agent "s1" has no id.'],
        ["invalid_record", expect.stringContaining('Message "circle" is not JSON data: Converting circular')],
        ["invalid_record", "A transcript needs an agent_id and a session_id."],
      ]);
      expect(await store.load("s1")).toBeUndefined();
    });

    it("says why it can't fork", async () => {
      const { store } = opened();
      await store.append(textMessage("a"), ROOT);
      expect([
        await rejected(store.fork("none")),
        await rejected(store.fork("s1", { turn_id: "t9" })),
        await rejected(store.fork("s1", { message_id: "z" })),
        await rejected(store.fork("s1", { agent_id: "s1" })),
      ]).toEqual([
        ["unknown_agent", 'The store has no transcript of agent "none".'],
        ["unknown_agent", 'Agent "s1" has no turn "t9".'],
        ["unknown_agent", 'Agent "s1" has no message "z".'],
        ["agent_exists", 'There is an agent "s1" already.'],
      ]);
    });

    it("says why it can't list or read", async () => {
      const { store } = opened();
      expect([
        await rejected(store.list({ limit: 0 })),
        await rejected(store.list({ limit: 1001 })),
        await rejected(store.list({ cursor: "nonsense" })),
        await rejected(store.list({ since: new Date(Number.NaN) })),
      ]).toEqual([
        ["invalid_option", "The limit of a list must be a whole number from 1 to 1000."],
        ["invalid_option", "The limit of a list must be a whole number from 1 to 1000."],
        ["invalid_option", 'The cursor "nonsense" did not come from a list.'],
        ["invalid_option", "The `since` of a list is not a valid date."],
      ]);
    });

    it("says who runs an agent, or has run it in the meantime", async () => {
      const { store } = opened();
      const here = `${process.pid} on ${hostname()}`;
      const claim = await store.claim(ROOT);
      expect([await rejected(store.claim(ROOT)), await store.holder("s1")]).toEqual([
        ["agent_in_use", `Agent "s1" is being run by this process ${here}, since ${START_TEXT}.`],
        { pid: process.pid, host: hostname(), since: START_TEXT },
      ]);
      await claim.release();
      expect(await rejected(store.claim(ROOT, { after: null }))).toEqual([
        "agent_changed",
        `Agent "s1" was run by process ${here} in the meantime (since ${START_TEXT}): its transcript here is out of date.`,
      ]);
    });

    it("says that it is closed", async () => {
      const { store } = opened();
      await store.close();
      expect(await rejected(store.append(textMessage("b"), ROOT))).toEqual([
        "store_failed",
        expect.stringMatching(/^The store .* is closed\.$/),
      ]);
    });

    it("lists in pages of any size that neither repeat nor leave out, however close the agents are in time", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 25 }),
          fc.integer({ min: 1, max: 7 }),
          async (pauses, limit) => {
            const { store, later } = opened();
            const name = (number: number) => `agent-${number}`;
            const agents = pauses.map((_, number) => ({
              session_id: name(number % 3),
              agent_id: name(number),
            }));
            for (const [number, owner] of agents.entries()) {
              await store.append(textMessage("a"), owner);
              later(pauses[number]);
            }
            const seen: string[] = [];
            let cursor: string | undefined;
            let pages = 0;
            do {
              const page = await store.list({ limit, ...(cursor === undefined ? {} : { cursor }) });
              seen.push(...page.transcripts.map(({ agent_id }) => agent_id));
              cursor = page.cursor;
              pages += 1;
              later();
              await store.append(textMessage("a"), { session_id: `new-${pages}`, agent_id: `new-${pages}` });
              await store.save({ title: "changed" }, agents[0] ?? { session_id: "", agent_id: "" });
            } while (cursor !== undefined);
            expect([[...seen].sort(), pages]).toEqual([
              agents.map(({ agent_id }) => agent_id).sort(),
              Math.ceil(agents.length / limit),
            ]);
            await store.close();
          },
        ),
        { numRuns: times(8) },
      );
    }, 120_000);
  });
}
