import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { livedIn, things } from "./support/reach.ts";

describe("reach", () => {
  it("lists what git has to tell also where git is slow", async () => {
    const project = livedIn();
    const git = project.write("../bin/git", `#!/bin/sh\nsleep 2\nPATH=\${PATH#*:} exec git "$@"\n`);
    project.environment.PATH = `${dirname(git)}:${project.environment.PATH}`;
    const work = (await things(project)).things.filter(
      ({ kind }: { kind: string }) => kind === "work in git",
    );
    expect(work.map(({ item }: { item: string }) => item)).toContain("1 stash");
  });
});
