import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendToSpool, countSpooled, spooledBy, spoolFolder } from "../../src/monitor/report/spool.ts";
import { droppedFrom, spoolFiles } from "../../src/monitor/report/spool-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("the spool", () => {
  it("stores what an agent reported, the oldest first", () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    for (const agent_id of ["a", "b", "a"]) appendToSpool({ type: "agent:idle", agent_id }, environment);
    expect(spooledBy("a", environment).map(({ type }) => type)).toEqual(["agent:idle", "agent:idle"]);
    expect(countSpooled(environment)).toBe(3);
  });

  describe("while nobody takes it over", () => {
    /** A spool with 20 events of 50,000 characters in each of its files, and one more event. */
    const filled = (files: number, typeOf: (number: number) => string) => {
      const environment = { XDG_STATE_HOME: temporaryFolder() };
      const folder = spoolFolder(environment);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const time = new Date().toISOString();
      const event = (number: number) => {
        const type = typeOf(number);
        const agent_id = type === "agent:prompt" ? "asks" : "a";
        return { v: 1, id: `e${number}`, time, type, agent_id, message: "x".repeat(50_000) };
      };
      for (let file = 0; file <= files; file += 1) {
        const lines = Array.from({ length: 20 }, (_, at) => `${JSON.stringify(event(20 * file + at))}\n`);
        const name = file === files ? "spool.jsonl" : `spool-${file + 1}.jsonl`;
        writeFileSync(join(folder, name), lines.join(""), { mode: 0o600 });
      }
      appendToSpool({ type: "agent:turn", agent_id: "last" }, environment);
      return { environment, folder, total: 20 * (files + 1) + 1 };
    };
    const idsOf = (agent: string, environment: NodeJS.ProcessEnv) =>
      spooledBy(agent, environment).map(({ id }) => id);

    it("keeps everything for as long as there is room, in numbered files", () => {
      const { environment, folder, total } = filled(4, () => "agent:turn");
      expect(countSpooled(environment)).toBe(total);
      expect(spoolFiles(folder).slice(-2)).toEqual(["spool-4.jsonl", "spool-5.jsonl"]);
      expect(droppedFrom(folder)).toBeUndefined();
    });

    it("drops turns before questions, the oldest first, and counts them", () => {
      const { environment, folder, total } = filled(35, (number) =>
        number === 3 ? "agent:prompt" : "agent:turn",
      );
      const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
      expect(bytes).toBeLessThan(32_000_000);
      expect(idsOf("asks", environment)).toEqual(["e3"]);
      // The last of each agent in its file, and all of newer files.
      expect(idsOf("a", environment).slice(0, 3)).toEqual(["e19", "e39", "e59"]);
      expect(idsOf("a", environment).at(-1)).toBe(`e${total - 2}`);
      const events = total - countSpooled(environment);
      expect(droppedFrom(folder)).toEqual({ events, questions: 0, last: expect.any(String) });
      expect(events).toBeGreaterThan(90);
    });

    it("drops the oldest questions when there is nothing else, and says so", () => {
      const { environment, folder, total } = filled(35, () => "agent:prompt");
      const left = countSpooled(environment);
      expect(left).toBeGreaterThan(500);
      expect(droppedFrom(folder)).toMatchObject({ events: total - left, questions: total - left });
      expect(idsOf("asks", environment).at(-1)).toBe(`e${total - 2}`);
    });
  });

  it("keeps what a prompt is, and the beginning of what it asks, however long that is", () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    const type = "agent:prompt" as const;
    const prompt = { type, agent_id: "a", session_id: "s1", prompt_type: "plan_approval" };
    for (const question of ["x".repeat(70_000), [{ question: "y".repeat(70_000) }], "é\n".repeat(300_000)])
      appendToSpool({ ...prompt, question, context: "z".repeat(300_000) }, environment);
    expect(spooledBy("a", environment)).toEqual(
      [/^x{4000,}…$/, /^\[\{"question":"y{4000,}…$/, /^(?:é\n){1000,}é?…$/].map((question) =>
        expect.objectContaining({ ...prompt, question: expect.stringMatching(question), shortened: true }),
      ),
    );
    const lines = readFileSync(join(spoolFolder(environment), "spool.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(lines.every((line) => line.length <= 60_000)).toBe(true);
  });

  it("the spool stores no secret", () => {
    const key = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEf";
    const environment = { XDG_STATE_HOME: temporaryFolder(), MY_TOKEN: "the-value-of-a-token" };
    const question = [{ question: `Use ${key} or the-value-of-a-token?` }];
    appendToSpool({ type: "agent:prompt", agent_id: "a", question }, environment);
    expect(spooledBy("a", environment)).toEqual([
      expect.objectContaining({ question: [{ question: "Use [redacted] or [redacted]?" }] }),
    ]);
  });

  it("reads no more of a file than could have been written", () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    appendToSpool({ type: "agent:idle", agent_id: "a" }, environment);
    const file = join(spoolFolder(environment), "large.jsonl");
    writeFileSync(file, "");
    truncateSync(file, 3_000_000_000);
    expect(countSpooled(environment)).toBe(1);
  });
});
