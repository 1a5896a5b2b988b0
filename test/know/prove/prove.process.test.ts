import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { triedLastGate } from "../../../src/know/prove/last-gate.ts";
import { SCENARIOS } from "../../../src/know/prove/scenarios.ts";
import { tried } from "../../../src/know/prove/try-scenarios.ts";
import { newProject } from "../../cli/support/project.ts";
import { change, configOf, NONSENSE, OBEYED, person, proved, provenIn } from "./support.ts";

describe("prove", () => {
  it("says that a healthy agent obeys, gives it no secret, and leaves nothing behind", async () => {
    const project = await person();
    const TMPDIR = join(project.folder, "tmp");
    mkdirSync(TMPDIR);
    project.environment.TMPDIR = TMPDIR;
    project.environment.ANTHROPIC_AUTH_TOKEN = "a-secret";
    change(project, (settings) => ({ ...settings, env: { KEY: "a-secret" }, apiKeyHelper: "echo a-secret" }));
    project.write("../home/.claude/.credentials.json", "a-secret");
    expect(await proved(project, "--with-mine")).toEqual({
      stderr: "Claude Code loads no plug-in of yours with hooks here: there is nothing to try besides.\n",
      code: 0,
      hooks: [],
      agents: [
        {
          agent: "claude",
          program: join(project.folder, "bin/claude"),
          version: "9.8.7",
          scenarios: [
            ...[...OBEYED, "below", "missing"].map((name) => ({ name, result: "obeyed" })),
            { name: "garbage", result: "degraded", why: NONSENSE },
            { name: "hanging", result: "obeyed" },
            { name: "own", result: "obeyed", why: "touch canary-own: continue, asked of 2" },
            { name: "last gate", result: "obeyed" },
          ],
        },
      ],
    });
    expect(readdirSync(TMPDIR)).toEqual([]);
    expect(readdirSync(project.cwd).filter((name) => name.includes("canary"))).toEqual([]);
    expect(project.journal()).toEqual([]);
  });

  it("finds an agent that ignores what was decided", async () => {
    const project = await person({ behaviour: "ignores" });
    const [deny, context] = await tried(
      await provenIn(project),
      await configOf(project),
      SCENARIOS.filter(({ name }) => ["deny", "context"].includes(name)),
    );
    expect([deny, context]).toEqual([
      { name: "deny", result: "ignored", ran: true },
      { name: "context", result: "obeyed" },
    ]);
  });

  it("finds an agent that does not load our plug-in", async () => {
    const project = await person({ behaviour: "loads no plug-in" });
    expect(await triedLastGate(await provenIn(project))).toEqual([
      {
        name: "last gate",
        result: "not_reached",
        why: "Claude Code does not load our plug-in, so others can lift a refusal",
        way_out: "Update Claude Code; tenterhook check shows its settings.",
      },
    ]);
  });

  it("fails for an agent that is not here, and names it", async () => {
    const project = newProject();
    project.environment.PATH = "/usr/bin:/bin";
    expect(await project.run(["prove", "codex"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Codex is not on this machine"),
    });
  });
});
