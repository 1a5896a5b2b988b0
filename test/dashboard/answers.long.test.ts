import { describe, expect, it } from "vitest";
import { QUESTION } from "../cli/support/watched-project.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { answeringScene, holding, PERMISSION, PLAN } from "./support/holding.ts";
import type { Scene } from "./support/scene.ts";

const openPage = pageOpener();

async function opened(scene: Scene, path = "/") {
  const { page, errors } = await openPage();
  await loggedIn(page, await scene.client.dashboard(), path);
  return { page, errors };
}

describe("answers in the page", () => {
  leaveOut(notLinux);

  it("a plan is sent back with a revision, from the keyboard alone", async () => {
    const scene = await answeringScene();
    const { page } = await opened(scene, "/inbox");
    const { done } = holding(scene, PLAN);
    await page.getByRole("article").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("2");
    expect(await page.locator("textarea:focus").count()).toBe(1);
    await page.keyboard.type("Look twice.");
    await page.keyboard.press("Enter");
    expect(await done).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "deny", message: expect.stringContaining("Look twice.") },
      },
    });
  });

  it("a permission is refused with a reason, and a free answer is sent by the button", async () => {
    const scene = await answeringScene();
    const { page } = await opened(scene, "/inbox");
    const permission = holding(scene, PERMISSION);
    const article = page.getByRole("article");
    await article.getByRole("textbox", { name: "Answer" }).fill("Not on Fridays.");
    await article.getByRole("button", { name: "Send" }).click();
    expect(await permission.done).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "deny", message: expect.stringContaining("Not on Fridays.") },
      },
    });
    await article.waitFor({ state: "detached" });
    const question = holding(scene, QUESTION);
    await article.getByRole("textbox", { name: "Answer" }).fill("Green");
    await article.getByRole("button", { name: "Send" }).click();
    expect(await question.done).toMatchObject({
      hookSpecificOutput: { decision: { updatedInput: { answers: { "Which colour?": "Green" } } } },
    });
  });

  it("a question that no hook waits for says where it can be answered", async () => {
    const scene = await answeringScene();
    scene.report([
      [1, "agent:prompt", "far-away", { host: "codex", prompt_type: "question", question: "Which?" }],
    ]);
    const { page } = await opened(scene, "/inbox");
    const article = page.getByRole("article", { name: "far-away" });
    await article.getByText("No hook waits for this answer").waitFor();
    expect(await article.getByRole("button", { name: "Send" }).count()).toBe(0);
    await article.getByRole("button", { name: "Take off the list" }).click();
    await article.waitFor({ state: "detached" });
    expect(await scene.client.decisions("open")).toEqual([]);
  });
});
