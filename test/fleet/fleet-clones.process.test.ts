import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { clonesIn, newRepository } from "./support/clones.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

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
