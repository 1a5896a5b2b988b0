import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ListTranscriptsOptions, TranscriptStore } from "../../../src/core/contracts/transcript.ts";
import { runs } from "../../support/soak.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { START, textMessage } from "./support/messages.ts";
import { STORES, type StoreKind } from "./support/places.ts";
import { rejected } from "./support/rejected.ts";

/** How every store lists. */
export function describeLists(kind: StoreKind): void {
  const opened = () => {
    let now = START;
    const clock = { now: () => now };
    const store: TranscriptStore = STORES[kind](temporaryFolder(), { clock, environment: {} });
    onTestFinished(() => store.close());
    return { store, later: (milliseconds = 1000) => (now += milliseconds) };
  };

  describe(`lists of the ${kind} store`, () => {
    it("are filtered by every field, the last created first", async () => {
      const { store, later } = opened();
      const add = async (agent_id: string, session_id: string, parent_agent_id?: string) => {
        const owner = {
          session_id,
          agent_id,
          cwd: `/${session_id}`,
          ...(parent_agent_id && { parent_agent_id }),
        };
        await store.append(textMessage("a"), owner);
        later();
        return owner;
      };
      const one = await add("one", "one");
      const child = await add("child", "one", "one");
      const two = await add("two", "two");
      await add("three", "three");
      await store.save({ title: "Ändere die FARBE 100%", status: "complete" }, one);
      later();
      await store.save({ title: "the tests", status: "suspended", waiting_for: {} }, child);
      await store.save({ status: "limit" }, two);
      const listed = async (options?: ListTranscriptsOptions) =>
        (await store.list(options)).transcripts.map(({ agent_id }) => agent_id);
      expect([
        await listed(),
        await listed({ session_id: "one" }),
        await listed({ session_id: "none" }),
        await listed({ status: "complete" }),
        await listed({ status: ["limit", "suspended"] }),
        await listed({ status: [] }),
        await listed({ parent_agent_id: "one" }),
        await listed({ root: true }),
        await listed({ cwd: "/one" }),
        await listed({ title: "äNDERE die farbe 100%" }),
        await listed({ title: "_" }),
        await listed({ since: new Date(START + 5000) }),
        await listed({ since: new Date(START + 2500), root: true, status: ["limit", "running"] }),
      ]).toEqual([
        ["three", "two", "child", "one"],
        ["child", "one"],
        [],
        ["one"],
        ["two", "child"],
        [],
        ["child"],
        ["three", "two", "one"],
        ["child", "one"],
        ["one"],
        [],
        ["two", "child"],
        ["three", "two"],
      ]);
      expect((await store.list({ session_id: "one", root: true })).transcripts).toEqual([
        (await store.load("one"))?.metadata,
      ]);
    });

    it("come in pages that neither repeat nor leave out, whatever happens between them", async () => {
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
        { numRuns: runs(6, 150) },
      );
    }, 120_000);

    it("refuse limits and cursors that can't be", async () => {
      const { store } = opened();
      expect([
        await rejected(store.list({ limit: 0 })),
        await rejected(store.list({ limit: 1001 })),
        await rejected(store.list({ cursor: "nonsense" })),
        await rejected(store.list({ since: new Date(Number.NaN) })),
        await rejected(store.history({ limit: 0 })),
      ]).toEqual([
        ["invalid_option", "The limit of a list must be a whole number from 1 to 1000."],
        ["invalid_option", "The limit of a list must be a whole number from 1 to 1000."],
        ["invalid_option", 'The cursor "nonsense" did not come from a list.'],
        ["invalid_option", "The `since` of a list is not a valid date."],
        ["invalid_option", "The limit of the history must be a whole number of at least 1."],
      ]);
    });
  });
}
