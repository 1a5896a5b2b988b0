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

  it("a rule is tried against recorded calls, saved, trusted, and decides the next call", async () => {
    const scene = await openScene();
    await scene.configure([RULE]);
    recordPushes(scene);
    const { page, errors } = await opened(scene, "/hooks");
    await page.getByRole("button", { name: "no-force-push" }).click();
    const editor = page.getByRole("textbox", { name: "Rule text" });
    expect(await editor.inputValue()).toMatch(/^name: no-force-push\ntype: inline\n/);
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await editor.fill(
      (await editor.inputValue()).replace(
        /rules: .*$/s,
        'rules: |\n  command runs "rm -r" -> deny("Nothing is removed.")',
      ),
    );
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("Tried on 3 recorded calls").waitFor();
    expect(await page.getByText("1 that went through").count()).toBe(1);
    expect(await page.getByText("1 that were stopped").count()).toBe(1);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. It decides the next call.").waitFor();
    expect(readFileSync(join(scene.cwd, ".tenterhook/hooks.yaml"), "utf8")).toContain("Nothing is removed.");
    const removed = await scene.hook({ ...shellCall("rm -rf build"), session_id: "s9" });
    expect(removed.stdout).toContain("Nothing is removed.");
    const pushed = await scene.hook({ ...shellCall("git push --force"), session_id: "s9" });
    expect(pushed.stdout).not.toContain("Not by force.");
    expect(errors).toEqual([]);
  });

  it("its runs add up to those of Activity, with Tenterhook's own and those of a hook that is gone", async () => {
    const scene = await openScene();
    await scene.configure([RULE]);
    recordPushes(scene);
    scene.record([{ minutes: 5, agent: "a", command: "ls", hook: "removed" }]);
    await scene.hook(shellCall("git push --force"));
    await scene.hook(shellCall("ls"));
    const { page } = await opened(scene, "/hooks");
    const table = page.getByRole("table", { name: "Hooks" });
    await table.getByText("no longer here").waitFor();
    const texts = await table.locator("tbody tr").allInnerTexts();
    const runs = texts.map((text) => text.split("\t").map((one) => one.trim()));
    expect(runs.map(([name, ...cells]) => `${name} ${cells.at(-4)}`)).toEqual([
      "no-force-push 5",
      "tenterhook:self-protection 2",
      "removed 1",
    ]);
    await page.goto(new URL("/activity", page.url()).href);
    await page.getByText("of 8 runs of all hooks").waitFor();
  });

  it("a hook is turned off and on again", async () => {
    const scene = await openScene();
    await scene.configure([RULE]);
    recordPushes(scene);
    const { page } = await opened(scene, "/hooks");
    const control = page.getByRole("switch", { name: "no-force-push" });
    await control.click();
    await page.getByRole("table", { name: "Hooks" }).getByText("off", { exact: true }).waitFor();
    expect((await scene.hook(shellCall("git push --force"))).stdout).not.toContain("Not by force.");
    await control.click();
    await page
      .getByRole("table", { name: "Hooks" })
      .getByText("off", { exact: true })
      .waitFor({ state: "detached" });
    expect((await scene.hook(shellCall("git push --force"))).stdout).toContain("Not by force.");
  });
});
