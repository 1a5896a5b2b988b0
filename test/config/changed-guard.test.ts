import { expect, it } from "vitest";
import { newProject, shellCall } from "../cli/support/project.ts";

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
  await project.run(["trust", "--yes"]);
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
