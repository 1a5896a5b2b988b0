import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TranscriptStore } from "../../../src/core/contracts/transcript.ts";
import { bundledProgram } from "../../support/bundled-program.ts";
import { runs } from "../../support/soak.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { START, textMessage } from "./support/messages.ts";
import { STORES, type StoreKind } from "./support/places.ts";
import { rejected } from "./support/rejected.ts";

const OWNER = { session_id: "shared", agent_id: "agent" };
const HERE = `${process.pid} on ${hostname()}, since 2026-01-02T03:04:05.000Z`;

/** How every store gives the right to run an agent. */
export function describeClaims(kind: StoreKind): void {
  const opened = (folder = temporaryFolder()) => {
    const store: TranscriptStore = STORES[kind](folder, { clock: { now: () => START }, environment: {} });
    onTestFinished(() => store.close());
    return store;
  };

  describe(`claims of the ${kind} store`, () => {
    it("are one at a time, tell who has it, and can be given back", async () => {
      const store = opened();
      const child = { ...OWNER, agent_id: "child", parent_agent_id: "agent" };
      const claim = await store.claim(OWNER);
      expect([await rejected(store.claim(OWNER)), await store.holder("none")]).toEqual([
        ["agent_in_use", `Agent "agent" is being run by this process ${HERE}.`],
        undefined,
      ]);
      await (await store.claim(child)).release();
      await store.append(textMessage("a"), OWNER);
      expect(await store.holder("agent")).toEqual({
        pid: process.pid,
        host: hostname(),
        since: "2026-01-02T03:04:05.000Z",
      });
      const { claim_id } = (await store.load("agent")) ?? {};
      await claim.release();
      await claim.release();
      expect(await store.holder("agent")).toBeUndefined();
      // What was read while it was held may have become more since.
      expect(await rejected(store.claim(OWNER, { after: claim_id ?? null }))).toMatchObject([
        "agent_changed",
        expect.any(String),
      ]);
      expect((await store.load("agent"))?.claim_id).toBe(claim.id);
      const next = await store.claim(OWNER);
      expect([next.id === claim.id, next.lost.aborted]).toEqual([false, false]);
    });

    it("hold off neither a fork nor a reader", async () => {
      const store = opened();
      await store.append(textMessage("a"), OWNER);
      await store.claim(OWNER);
      const fork = await store.fork("agent");
      expect(await store.load(fork.agent_id)).toEqual({ metadata: fork, messages: [textMessage("a")] });
      await store.claim(fork);
    });

    it("refuse one who knows only what was before another's", async () => {
      const store = opened();
      await store.append(textMessage("a"), OWNER);
      const { claim_id = null } = (await store.load("agent")) ?? {};
      const first = await store.claim(OWNER, { after: claim_id });
      await first.release();
      expect(await rejected(store.claim(OWNER, { after: claim_id }))).toEqual([
        "agent_changed",
        `Agent "agent" was run by process ${HERE.replace(", since", " in the meantime (since")}): its transcript here is out of date.`,
      ]);
      const again = await store.claim(OWNER, { after: (await store.load("agent"))?.claim_id ?? null });
      await again.release();
      await (await store.claim(OWNER, { after: again.id })).release();
    });

    it("are gone with the agent", async () => {
      const store = opened();
      await store.append(textMessage("a"), OWNER);
      await store.claim(OWNER);
      await store.delete("agent");
      await store.claim(OWNER);
    });

    it("are given back when the store is closed", async () => {
      const folder = temporaryFolder();
      const first = opened(folder);
      await first.claim(OWNER);
      await first.close();
      await opened(folder).claim(OWNER);
    });
  });
}

interface Claimer {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Says something to it and answers what it says. */
  tell(text: string): Promise<string>;
}

/** What stores do alike when several processes want one agent. */
export function describeClaimRaces(kind: Exclude<StoreKind, "memory">): void {
  const program = bundledProgram(new URL("support/claimer.ts", import.meta.url));

  async function start(folder: string): Promise<Claimer> {
    const child = spawn(process.execPath, [program, kind, folder, "agent"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    expect(await next()).toBe("ready");
    return {
      child,
      tell: (text) => {
        child.stdin.write(`${text}\n`);
        return next();
      },
    };
  }
  const startAll = (folder: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => start(folder)));

  async function ended({ child }: Claimer, signal: NodeJS.Signals): Promise<void> {
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  describe(`claims of the ${kind} store between processes`, () => {
    it("go to exactly one of those who want the agent at once, again and again", async () => {
      const folder = temporaryFolder();
      const claimers = await startAll(folder, 3);
      for (let round = 0; round < runs(20, 1000); round += 1) {
        const replies = await Promise.all(claimers.map(({ tell }) => tell("claim")));
        const winner = claimers[replies.indexOf("won")];
        expect(replies.filter((text) => text === "won")).toEqual(["won"]);
        for (const text of replies)
          if (text !== "won")
            expect(text).toMatch(
              `agent_in_use: Agent "agent" is being run by process ${winner?.child.pid} on ${hostname()}, since 2`,
            );
        await winner?.tell("release");
      }
    }, 300_000);

    it("left by a process that was killed are taken over, by exactly one", async () => {
      const folder = temporaryFolder();
      for (let round = 0; round < runs(2, 60); round += 1) {
        const killed = await start(folder);
        expect(await killed.tell("claim")).toBe("won");
        await ended(killed, "SIGKILL");
        const claimers = await startAll(folder, 3);
        const replies = await Promise.all(claimers.map(({ tell }) => tell("claim")));
        expect(replies.filter((text) => text === "won")).toEqual(["won"]);
        await Promise.all(claimers.map((claimer) => ended(claimer, "SIGKILL")));
      }
    }, 300_000);
  });
}
