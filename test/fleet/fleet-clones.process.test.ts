import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

/** A repository with one commit. */
function newRepository(): string {
  const cwd = temporaryFolder();
  needs("git");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd });
  git("init", "--quiet", "--initial-branch", "main");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  return cwd;
}

/** The clones on this machine. */
function clonesIn({ XDG_STATE_HOME }: NodeJS.ProcessEnv): readonly string[] {
  return readdirSync(`${XDG_STATE_HOME}/tenterhook-fleet`);
}

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
