import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeChecked } from "../../src/cli/configured-hooks/write-checked.ts";
import { newProject } from "./support/project.ts";

const FINE =
  'hooks:\n  definitions:\n    - { name: a, type: command, command: ["true"], matcher: { events: [PreToolUse] } }\n';
const BROKEN = FINE.replace("PreToolUse", "forbid");
const signal = new AbortController().signal;

it("a configuration that does not load is never written, not even for a moment", async () => {
  const project = newProject();
  const file = project.write(".tenterhook/hooks.yaml", FINE);
  const before = statSync(file);
  await expect(writeChecked({ file, before: FINE, after: BROKEN }, { ...project, signal })).rejects.toThrow(
    "forbid",
  );
  const { ino, mtimeMs } = statSync(file);
  expect({ ino, mtimeMs }).toEqual({ ino: before.ino, mtimeMs: before.mtimeMs });
  expect(readdirSync(join(file, ".."))).toEqual(["hooks.yaml"]);
});

it("a configuration that is not there yet leaves nothing when it does not load, and is written when it does", async () => {
  const project = newProject();
  const file = join(project.cwd, ".tenterhook/hooks.yaml");
  await expect(writeChecked({ file, before: "", after: BROKEN }, { ...project, signal })).rejects.toThrow(
    "forbid",
  );
  expect(existsSync(join(file, ".."))).toBe(false);
  expect(await writeChecked({ file, before: "", after: FINE }, { ...project, signal })).toBeUndefined();
  expect(statSync(file).size).toBe(FINE.length);
});

it("writes nothing over what somebody else has written since the file was read", async () => {
  const project = newProject();
  const file = project.write(".tenterhook/hooks.yaml", "hooks: {}\n");
  const edit = { file, before: "", after: FINE };
  await expect(writeChecked(edit, { ...project, signal })).rejects.toThrow(
    `${file} was changed meanwhile; nothing was written.`,
  );
  expect(readFileSync(file, "utf8")).toBe("hooks: {}\n");
});
