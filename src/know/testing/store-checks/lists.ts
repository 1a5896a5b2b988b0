import type { ListTranscriptsOptions, TranscriptOwner } from "../../../core/contracts/transcript.ts";
import { type Checks, codeOf, later, message, same } from "./check.ts";

export const LIST_CHECKS: Checks = {
  "lists by every filter, the last created first": async (store) => {
    const add = async (owner: TranscriptOwner): Promise<TranscriptOwner> => {
      const whole = { ...owner, cwd: `/${owner.session_id}` };
      await store.append(message("a"), whole);
      await later();
      return whole;
    };
    const one = await add({ agent_id: "one", session_id: "one" });
    const child = await add({ agent_id: "child", session_id: "one", parent_agent_id: "one" });
    const early = new Date();
    const two = await add({ agent_id: "two", session_id: "two" });
    await add({ agent_id: "three", session_id: "three" });
    await store.save({ title: "Ändere die FARBE 100%", status: "complete" }, one);
    const late = await later();
    await store.save({ title: "the tests", status: "suspended", waiting_for: {} }, child);
    await store.save({ status: "limit" }, two);
    const lists: readonly (readonly [ListTranscriptsOptions, readonly string[]])[] = [
      [{}, ["three", "two", "child", "one"]],
      [{ session_id: "one" }, ["child", "one"]],
      [{ session_id: "none" }, []],
      [{ status: "complete" }, ["one"]],
      [{ status: ["limit", "suspended"] }, ["two", "child"]],
      [{ status: [] }, []],
      [{ parent_agent_id: "one" }, ["child"]],
      [{ root: true }, ["three", "two", "one"]],
      [{ cwd: "/one" }, ["child", "one"]],
      [{ title: "äNDERE die farbe 100%" }, ["one"]],
      [{ title: "_" }, []],
      [{ since: late }, ["two", "child"]],
      [{ since: early, root: true, status: ["limit", "running"] }, ["three", "two"]],
    ];
    for (const [options, expected] of lists) {
      const { transcripts } = await store.list(options);
      same({ options, found: transcripts.map(({ agent_id }) => agent_id) }, { options, found: expected });
    }
    const { transcripts } = await store.list({ session_id: "one", root: true });
    same(transcripts, [(await store.load("one"))?.metadata]);
  },

  "lists in pages that neither repeat nor leave out, whatever happens between them": async (store) => {
    const agents = Array.from({ length: 7 }, (_, number) => `agent-${number}`);
    for (const [number, agent_id] of agents.entries()) {
      await store.append(message("a"), { session_id: `session-${number % 3}`, agent_id });
      if (number % 2 === 0) await later();
    }
    const pages: (readonly string[])[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ limit: 3, cursor });
      pages.push(page.transcripts.map(({ agent_id }) => agent_id));
      cursor = page.cursor;
      await later();
      await store.append(message("a"), { session_id: "new", agent_id: `new-${pages.length}` });
      await store.save({ title: "changed" }, { session_id: "session-0", agent_id: "agent-0" });
    } while (cursor !== undefined && pages.length < 5);
    same([pages.map(({ length }) => length), pages.flat().sort()], [[3, 3, 1], agents]);
  },

  "refuses limits and cursors that can't be": async (store) => {
    same(await codeOf(store.list({ limit: 0 })), "invalid_option");
    same(await codeOf(store.list({ limit: 1001 })), "invalid_option");
    same(await codeOf(store.list({ cursor: "nonsense" })), "invalid_option");
    same(await codeOf(store.list({ since: new Date(Number.NaN) })), "invalid_option");
  },
};
