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
