import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject, type Project, shellCall } from "../cli/support/project.ts";
import { trustProject } from "../support/trust-project.ts";

const rules = 'command runs "git push" -> deny("Not from here.")';
const guard = (event: string, more: object = {}) => ({
  name: "no-push",
  type: "inline",
  matcher: { events: [event] },
  rules,
  ...more,
});

it.each([
  ["moves to another event", guard("UserPromptSubmit")],
  ["is switched off", guard("PreToolUse", { enabled: false })],
  ["fails open", guard("PreToolUse", { on_failure: "open" })],
  ["wants other tools", guard("PreToolUse", { matcher: { events: ["PreToolUse"], tools: ["Read"] } })],
])("a trusted guard that %s lets no call pass before somebody has looked", async (_what, changed) => {
  const project = newProject({ decidesHere: true });
  await project.configure([guard("PreToolUse")]);
  expect((await project.hook(shellCall("git push"))).stdout).toContain("Not from here.");
  project.write(".tenterhook/hooks.yaml", JSON.stringify({ hooks: { definitions: [changed] } }));
  const { stdout } = await project.hook(shellCall("git push"));
  expect(stdout).toContain('"permissionDecision":"deny"');
  expect(stdout).toContain("tenterhook trust");
  await trustProject(project.cwd, project.environment);
  expect((await project.hook(shellCall("ls"))).stdout).toBe("");
});

it("a trusted guard that changed and was not looked at lets no call pass when its file, or another one, is broken then", async () => {
  const project = newProject({ decidesHere: true });
  await project.configure([guard("PreToolUse")]);
  project.write(
    ".tenterhook/hooks.yaml",
    JSON.stringify({ hooks: { definitions: [guard("UserPromptSubmit")] } }),
  );
  await project.hook(shellCall("git push"));
  for (const file of [".tenterhook/hooks.local.yaml", ".tenterhook/hooks.yaml"]) {
    project.write(file, "hooks: [");
    expect((await project.hook(shellCall("git push"))).stdout).toContain('"permissionDecision":"deny"');
  }
});

const BROKEN = "hooks: [\n";
const FILES = { own: "../config/tenterhook/hooks.yaml", local: ".tenterhook/hooks.local.yaml" };

/** A trusted project whose calls were decided before, beside a file of the user's own. */
async function decidedBefore() {
  const project = newProject({ decidesHere: true });
  project.write(FILES.own, "monitor: { watch: false }\n");
  await project.configure([guard("UserPromptSubmit", { name: "other" })]);
  await project.hook(shellCall("ls"));
  return project;
}

async function trustGuard(project: Project): Promise<void> {
  project.write(FILES.local, JSON.stringify({ hooks: { definitions: [guard("PreToolUse")] } }));
  await trustProject(project.cwd, project.environment);
}

it("a trusted guard whose file is gone stays missed when the user's own file breaks", async () => {
  const project = await decidedBefore();
  await trustGuard(project);
  await project.hook(shellCall("ls"));
  rmSync(join(project.cwd, FILES.local));
  expect((await project.hook(shellCall("ls"))).stdout).toContain('"permissionDecision":"deny"');
  project.write(FILES.own, BROKEN);
  expect((await project.hook(shellCall("git push"))).stdout).toContain('"permissionDecision":"deny"');
});

it("a guard that was trusted and never read is missed when the user's own file breaks", async () => {
  const project = await decidedBefore();
  await trustGuard(project);
  project.write(FILES.own, BROKEN);
  expect((await project.hook(shellCall("git push"))).stdout).toContain('"permissionDecision":"deny"');
});
