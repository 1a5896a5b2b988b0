import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOKS, hookFiles, hookOf, MATCHER } from "./support/hook-files.ts";
import { newProject, shellCall } from "./support/project.ts";

describe("the files of tenterhook hook", () => {
  it("a gate is refused when it is missing or damaged", async () => {
    const project = newProject({ cached: true, compiles: true });
    const hook = { matcher: MATCHER, on_failure: "open" };
    await project.configure([
      { ...hook, name: "command", ...(await HOOKS.command?.(project)) },
      { ...hook, name: "http", ...(await HOOKS.http?.(project)) },
      { ...hook, name: "module", ...(await HOOKS.module?.(project)) },
      { ...hook, name: "persistent", ...(await HOOKS.persistent?.(project)) },
    ]);
    await project.hook(shellCall("git push"));
    const files = hookFiles(project);
    const file = join(files, "hook.cjs");
    const whole = readFileSync(file, "utf8");
    rmSync(file);
    expect(await hookOf(files, project, "missing")).toSatisfy(isRefusal);
    writeFileSync(file, whole.slice(0, whole.length / 2));
    expect(await hookOf(files, project, "damaged")).toSatisfy(isRefusal);
  });
});

function isRefusal({ code, stdout }: { code: number | null; stdout: string }): boolean {
  if (code === 2) return true;
  return code === 0 && JSON.parse(stdout).hookSpecificOutput?.permissionDecision === "deny";
}
