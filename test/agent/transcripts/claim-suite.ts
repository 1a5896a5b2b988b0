import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bundledProgram } from "../../support/bundled-program.ts";
import { runs } from "../../support/long.ts";
import { endAfterTest } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { StoreKind } from "./support/places.ts";

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
    endAfterTest(child);
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
      for (let round = 0; round < runs(20); round += 1) {
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
      for (let round = 0; round < runs(2); round += 1) {
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
