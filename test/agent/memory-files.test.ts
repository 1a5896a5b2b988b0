import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryFiles } from "../../src/agent/run/session/memory-files.ts";
import { scratch } from "./support/agents.ts";

it("memory files that are let go while they begin to be watched are not watched", async () => {
  const folder = scratch();
  const events: string[] = [];
  const ended = new MemoryFiles(folder, ["AGENTS.md"]);
  const starting = ended.start(() => events.push("ended"));
  ended.stop();
  await starting;
  const watched = new MemoryFiles(folder, ["AGENTS.md"]);
  await new Promise<void>((resolve, reject) => {
    watched
      .start(() => {
        events.push("watched");
        resolve();
      })
      .then(() => writeFileSync(join(folder, "AGENTS.md"), "new"), reject);
  });
  watched.stop();
  expect(new Set(events)).toEqual(new Set(["watched"]));
});
