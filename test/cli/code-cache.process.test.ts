import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { codeFolder, newProject, type Project, shellCall } from "./support/project.ts";

const DENIES = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};
const REFUSAL = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "Not from here.",
  },
};
function codeFiles(project: Project): readonly string[] {
  return readdirSync(codeFolder(project)).filter((name) => name.endsWith(".cjs"));
}

it("caches compiled code in the first two processes and once a day, and uses only what this Node made", async () => {
  const project = newProject({ cached: true, compiles: true });
  await project.configure([DENIES]);
  const cache = codeFolder(project);
  const written = () => {
    const names = codeFiles(project);
    expect(names.map((name) => statSync(join(cache, name)).mode & 0o777)).toEqual(names.map(() => 0o600));
    return names.map((name) => [name, statSync(join(cache, name)).ino]);
  };
  const push = async () => JSON.parse((await project.hook(shellCall("git push"))).stdout);
  expect(await push()).toEqual(REFUSAL);
  const first = written();
  expect(first.length).toBe(1);
  expect(await push()).toEqual(REFUSAL);
  const second = written();
  expect(second).not.toEqual(first);
  expect(await push()).toEqual(REFUSAL);
  expect(written()).toEqual(second);
  for (const [name = ""] of second) {
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    utimesSync(join(cache, String(name)), yesterday, yesterday);
  }
  expect(await push()).toEqual(REFUSAL);
  const renewed = written();
  expect(renewed).not.toEqual(second);
  for (const [name = ""] of renewed) {
    const file = join(cache, String(name));
    const bytes = readFileSync(file);
    const [, folder = "", built = ""] = /^v[\d.]+-\w+-\w{8}-(dist|commands)-(.*)$/.exec(String(name)) ?? [];
    const source = readFileSync(join(ROOT, "dist", folder === "dist" ? "" : folder, built));
    const half = (bytes.length - source.length - 1) / 2;
    // Both copies alike, so that only the compiler can tell: the data begins with its version.
    for (const at of [0, half]) bytes.fill(0x5a, at, at + 16);
    writeFileSync(file, bytes);
  }
  const foreign = written();
  expect(await push()).toEqual(REFUSAL);
  expect(written()).not.toEqual(foreign);
});
