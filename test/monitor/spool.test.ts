import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendToSpool, countSpooled, spooledBy, spoolFolder } from "../../src/monitor/report/spool.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("the spool", () => {
  it("stores what an agent reported, the oldest first", () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    for (const agent_id of ["a", "b", "a"]) appendToSpool({ type: "agent:idle", agent_id }, environment);
    expect(spooledBy("a", environment).map(({ type }) => type)).toEqual(["agent:idle", "agent:idle"]);
    expect(countSpooled(environment)).toBe(3);
  });

  it("does not grow without end where nobody takes it over, and keeps the newest", () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    const message = "x".repeat(50_000);
    for (let number = 0; number < 300; number += 1)
      appendToSpool({ type: "agent:idle", agent_id: "a", number, message }, environment);
    const folder = spoolFolder(environment);
    const names = readdirSync(folder).sort();
    expect(names).toEqual(["spool.jsonl", "spool.old.jsonl"]);
    const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(9_000_000);
    expect(spooledBy("a", environment).at(-1)?.number).toBe(299);
  });

  it("keeps what a prompt is, and the beginning of what it asks, however long that is", () => {
    const environment = { XDG_STATE_HOME: temporaryFolder() };
    const prompt = { type: "agent:prompt", agent_id: "a", session_id: "s1", prompt_type: "plan_approval" };
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
