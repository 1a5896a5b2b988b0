import { describe, expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { answeringScene, holding, PERMISSION } from "./support/holding.ts";

const openPage = pageOpener();

const NO_FORCE = rulesHook("no-force", 'command contains "--force" -> deny("Never by force.")\n');

describe("a call that is edited before it is allowed", () => {
  leaveOut(notLinux);

  it("runs with the input that the person wrote, unless a rule refuses that input", async () => {
    const scene = await answeringScene();
    await scene.configure([NO_FORCE]);
    const { page, errors } = await openPage();
    await loggedIn(page, await scene.client.dashboard(), "/inbox");
    const article = page.getByRole("article");
    const allowWith = async (command: string): Promise<void> => {
      await article.getByRole("button", { name: "Edit the call" }).click();
      const input = article.getByRole("textbox", { name: "Input of the call" });
      expect(await input.inputValue()).toBe("npm publish");
      await input.fill(command);
      await article.getByRole("button", { name: "allow", exact: true }).click();
    };
    const first = holding(scene, PERMISSION);
    await allowWith("npm publish --dry-run");
    expect(await first.done).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "allow", updatedInput: { command: "npm publish --dry-run" } },
      },
    });
    await article.waitFor({ state: "detached" });
    const second = holding(scene, { ...PERMISSION, session_id: "s2" });
    await allowWith("npm publish --force");
    expect(await second.done).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "deny", message: expect.stringContaining("Never by force.") },
      },
    });
    expect(errors).toEqual([]);
  });
});
