import { expect, it } from "vitest";
import { stringify } from "yaml";
import { newProject } from "./support/project.ts";

function untrusted() {
  const project = newProject();
  const matcher = { events: ["PreToolUse"] };
  const definitions = [
    { name: "one", type: "command", script: "one.sh", matcher },
    { name: "two", type: "command", script: "two.sh", matcher },
  ];
  for (const name of ["one.sh", "two.sh"]) project.write(name, "exit 0\n");
  project.write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions } }));
  const states = async () => {
    const { items } = JSON.parse((await project.run(["trust", "--list", "--json"])).stdout);
    return items.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`).sort();
  };
  return { project, states };
}

it("trust is given file by file, each with the programs that it runs", async () => {
  const { project, states } = untrusted();
  expect((await project.run(["trust", "one.sh", "--yes"])).stdout).toContain("Trusted: 1 file.");
  expect(await states()).toEqual([".tenterhook/hooks.yaml new", "one.sh trusted", "two.sh new"]);
  expect((await project.run(["trust", "one", "--yes"])).stdout).toContain("Trusted: 2 files.");
  expect(await states()).toEqual([".tenterhook/hooks.yaml trusted", "one.sh trusted", "two.sh trusted"]);
});

it("trust is revoked file by file", async () => {
  const { project, states } = untrusted();
  await project.run(["trust", "--yes"]);
  expect((await project.run(["trust", "two.sh", "--revoke"])).stdout).toBe("No longer trusted: 1 file.\n");
  expect(await states()).toEqual([".tenterhook/hooks.yaml trusted", "one.sh trusted", "two.sh new"]);
});

it("a name that nothing has is an error with the nearest", async () => {
  const { project } = untrusted();
  const { code, stderr } = await project.run(["trust", "tow", "--yes"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('Nothing here that needs trust is called "tow". Did you mean "two"?'),
  ]);
});
