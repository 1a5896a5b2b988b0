import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { runCli } from "../cli/support/run-cli.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { eventually } from "../support/processes.ts";
import { clonesIn, commitTo, newRepository } from "./support/clones.ts";
import { appendLine, fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

describe("a run in a clone of a repository", () => {
  it("ends with its branch and its patch", async () => {
    const { fleet, script, work, until, environment } = await newFleet(server, {
      config: { permissions: { mode: "accept-edits" } },
    });
    const repository = newRepository();
    const write = { name: "Write", input: { file_path: "new.txt", content: "hello\n" } };
    const model = script("s", [{ tool_calls: [write] }, { text: "Written." }]);
    const submitted = await fleet(
      "submit",
      "Write.",
      "--model",
      model,
      "--repo",
      repository,
      "--ref",
      "main",
    );
    await work();
    const [run] = await until("done", "failed", "waiting");
    expect(run).toMatchObject({
      state: "done",
      result: {
        branch: `tenterhook/${submitted.stdout.trim()}`,
        patch: expect.stringMatching(/^diff --git a\/new\.txt b\/new\.txt\nnew file[\s\S]*\+hello\n$/),
      },
    });
    // Its patch is stored, so the clone is needed no more.
    await eventually(() => expect(clonesIn(environment)).toEqual([]));
  });
});

describe("a run in a clone whose hooks refuse a call", () => {
  const RULE = rulesHook("team-rule", 'args.command contains "forbidden" -> deny("The team says no.")');

  async function withHooks() {
    const fleet = await newFleet(server);
    const repository = newRepository();
    const hooks = stringify({ hooks: { definitions: [RULE] } });
    commitTo(repository, ".tenterhook/hooks.yaml", hooks);
    const model = fleet.script("s", [appendLine("forbidden"), { text: "Over." }]);
    return { ...fleet, repository, order: { task: "Try.", model, repo: repository, cwd: undefined } };
  }

  it("is refused before it asks its model while nobody has trusted them, and says how", async () => {
    const { submit, order, work, until, store, repository } = await withHooks();
    const run = await submit(order);
    await work();
    const [refused] = await until("done", "failed");
    expect(refused).toMatchObject({
      state: "failed",
      steps: 0,
      error: expect.stringMatching(
        new RegExp(
          `Nobody has trusted this version of the hooks of ${repository} .* tenterhook trust --repo ${repository}`,
        ),
      ),
    });
    expect(await store.load(run)).toBeUndefined();
  });

  it("obeys them once somebody has trusted them in a checkout, and no other version of them", async () => {
    const { submit, order, work, until, store, repository, environment } = await withHooks();
    const trust = await runCli(repository, environment, "trust", "--repo", repository, "--yes");
    expect([trust.code, trust.stdout]).toEqual([0, expect.stringContaining("Trusted in clones of")]);
    const run = await submit(order);
    await work();
    await until("done");
    expect(JSON.stringify((await store.load(run))?.messages)).toContain("The team says no.");
    commitTo(repository, ".tenterhook/hooks.yaml", stringify({ hooks: { definitions: [] } }));
    const later = await submit(order);
    const ended = await until("done", "failed");
    expect(ended.find(({ run_id }) => run_id === later)).toMatchObject({ state: "failed", steps: 0 });
  });
});
