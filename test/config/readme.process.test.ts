import { createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { read } from "../repository/support/files.ts";
import { bashCall, HERE } from "../support/events.ts";
import { project } from "./support/project.ts";

const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(read("README.md")) ?? [];

it("the configuration in the README does what it says", async () => {
  const files = project({
    "hooks.yaml": yaml,
    "project/package.json": JSON.stringify({ scripts: { test: "echo 1 test fails && exit 1" } }),
  });
  const hooks = createHooks();
  await applyConfig(hooks, await files.load());
  const cwd = files.path("project");
  const { action, reason } = await hooks.fire(bashCall("git push origin main --force", { cwd }));
  expect([action, reason]).toEqual(["deny", expect.stringContaining("Use --force-with-lease.")]);
  const { keep_going } = await hooks.fire({ ...HERE, hook_event_name: "Stop", cwd });
  expect(keep_going?.reason).toContain("1 test fails");
});
