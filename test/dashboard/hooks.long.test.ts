import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shellCall } from "../cli/support/project.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { viewOpener } from "./support/browser.ts";
import { RULE, recordPushes } from "./support/hooks.ts";
import { openScene } from "./support/scene.ts";

const opened = viewOpener();

describe("hooks in the page", () => {
  leaveOut(notLinux);

  it("the first project appears while the page is open", async () => {
    const scene = await openScene();
    await scene.configure([RULE]);
    const { page } = await opened(scene, "/hooks");
    await page.getByText("No project yet").waitFor();
    recordPushes(scene);
    await page.getByRole("button", { name: "no-force-push" }).waitFor();
  });

  it("a new rule is added to the project's file, and others stay as they are written", async () => {
    const scene = await openScene();
    await scene.configure([RULE]);
    recordPushes(scene);
    const { page } = await opened(scene, "/hooks");
    await page.getByRole("button", { name: "Add a rule" }).click();
    const editor = page.getByRole("textbox", { name: "Rule text" });
    await editor.fill(
      'name: no-tests\ntype: inline\nmatcher: { events: [PreToolUse] }\nrules: command runs "npm test" -> ask("Really?")',
    );
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("1 that went through").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    const table = page.getByRole("table", { name: "Hooks" });
    await table.getByRole("button", { name: "no-tests" }).waitFor();
    expect(await table.getByText("not trusted").count()).toBe(0);
    const asked = await scene.hook(shellCall("npm test"));
    expect(asked.stdout).toContain("Really?");
  });

  it("a rule that is shadowed first records what it would do, and decides nothing", async () => {
    const scene = await openScene();
    await scene.configure([RULE]);
    recordPushes(scene);
    const { page } = await opened(scene, "/hooks?hook=no-force-push");
    const editor = page.getByRole("textbox", { name: "Rule text" });
    await editor.fill((await editor.inputValue()).replace("git push --force", "rm -r"));
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("Tried on 3 recorded calls").waitFor();
    await page.getByRole("button", { name: "Shadow first" }).click();
    await page.getByText("Saved in shadow mode. It records what it would do.").waitFor();
    expect(readFileSync(join(scene.cwd, ".tenterhook/hooks.yaml"), "utf8")).toContain("mode: shadow");
    const removed = await scene.hook({ ...shellCall("rm -rf build"), session_id: "s9" });
    expect(removed).toMatchObject({ code: 0, stdout: expect.not.stringContaining("deny") });
  });

  it("a bad rule can't be saved, and the page says why", async () => {
    const scene = await openScene();
    await scene.configure([RULE]);
    recordPushes(scene);
    const { page } = await opened(scene, "/hooks?hook=no-force-push");
    const file = join(scene.cwd, ".tenterhook/hooks.yaml");
    const before = readFileSync(file, "utf8");
    const editor = page.getByRole("textbox", { name: "Rule text" });
    await editor.fill(
      "name: no-force-push\ntype: inline\nmatcher: { events: [PreToolUse] }\nrules: command flies -> deny",
    );
    await page.getByRole("button", { name: "Try it" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("This rule can’t be saved").waitFor();
    expect(await alert.innerText()).toMatch(/hooks\.yaml:\d+:\d+: .*flies/s);
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});
