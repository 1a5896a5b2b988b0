import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendToSpool, countSpooled, spooledBy, spoolFolder } from "../../src/monitor/spool.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("the spool", () => {
  it("keeps what an agent told, the oldest first", () => {
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
});
