import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientProject, installInto } from "../support/client.ts";
import { COPILOT } from "../support/copilot.ts";

const COUNTS = "#!/bin/sh\necho ran >> ran\necho '{}'\n";
const STOPS =
  "#!/bin/sh\necho stop >> ran\ntest -e stopped && exit 0\ntouch stopped\necho 'More.' >&2\nexit 2\n";
const BEFORE = { events: ["PreToolUse"], tools: ["Bash"] };

describe("GitHub Copilot CLI with our entries in several files, Claude Code's among them", () => {
  it("asks a program once, rewrites once and has a context read once", async () => {
    const project = clientProject();
    project.write("count.sh", COUNTS);
    const rules = 'command contains "touch" -> set(args.command, "{{args.command}} more")';
    const context = 'command contains "touch" -> context("The build is red.")';
    const hooks = [
      { name: "count", type: "command", script: "count.sh", matcher: BEFORE },
      { name: "more", type: "inline", matcher: BEFORE, rules },
      { name: "context", type: "inline", matcher: BEFORE, rules: context },
    ];
    await installInto("copilot", project, hooks);
    for (const args of [["copilot", "--user"], ["claude"]]) {
      const { code, stderr } = await project.run(["install", ...args]);
      if (code !== 0) throw new Error(stderr);
    }
    const { lastSent } = await COPILOT.run({ project, script: [COPILOT.shell("touch made; echo")] });
    // A rewritten call is judged once more, in the same decision.
    expect(readFileSync(join(project.cwd, "ran"), "utf8")).toBe("ran\nran\n");
    expect(project.journal()).toHaveLength(1);
    expect(lastSent).toContain('"more\\n<shellId');
    expect(lastSent.split("The build is red.")).toHaveLength(2);
  });

  it("asks once whether the turn may end", async () => {
    const project = clientProject();
    project.write("stops.sh", STOPS);
    const stop = { name: "stops", type: "command", script: "stops.sh", matcher: { events: ["Stop"] } };
    await installInto("copilot", project, [stop]);
    const { code, stderr } = await project.run(["install", "claude"]);
    if (code !== 0) throw new Error(stderr);
    const { requests } = await COPILOT.run({ project, script: ["one", "two"] });
    expect(requests).toHaveLength(2);
    expect(readFileSync(join(project.cwd, "ran"), "utf8")).toBe("stop\nstop\n");
  });
});
