import { describe, expect, it } from "vitest";
import { QUESTION } from "../cli/support/watched-project.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { loggedIn, pageOpener, RECEIPT } from "./support/browser.ts";
import { answeringScene, holding } from "./support/holding.ts";
import type { Scene } from "./support/scene.ts";

const openPage = pageOpener();

async function opened(scene: Scene, path = "/") {
  const { page, errors } = await openPage();
  await loggedIn(page, await scene.client.dashboard(), path);
  return { page, errors };
}

describe("answers in the page", () => {
  leaveOut(notLinux);

  it("an agent that starts to wait is on top, and the waiting hook returns the answer that is given there", async () => {
    const scene = await answeringScene();
    scene.report([[1, "agent:turn", "busy", { host: "claude" }]]);
    const { page, errors } = await opened(scene);
    const rows = page.getByRole("table", { name: "Agents" }).getByRole("row");
    await rows.filter({ hasText: "busy" }).waitFor();
    const { done } = holding(scene, QUESTION);
    const article = page.getByRole("article", { name: "claude in project" });
    await article.waitFor();
    await rows.nth(1).getByText("waits for you").waitFor();
    expect(await article.getByRole("button", { name: "Red", exact: true }).count()).toBe(1);
    await article.getByRole("button", { name: "Blue", exact: true }).click();
    await page.getByText(RECEIPT).waitFor();
    expect(await done).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "allow", updatedInput: { answers: { "Which colour?": "Blue" } } },
      },
    });
    await article.waitFor({ state: "detached" });
    const [decision] = await scene.client.decisions("all");
    expect(decision?.resolved).toMatchObject({ channel: "dashboard", answer: "Blue", fate: "given" });
    expect(errors).toEqual([]);
  });

  it("an option of a question may have the name of a plan's", async () => {
    const scene = await answeringScene();
    const { page, errors } = await opened(scene, "/inbox");
    const questions = [{ question: "What now?", options: [{ label: "revise" }, { label: "keep" }] }];
    const { done } = holding(scene, { ...QUESTION, tool_input: { questions } });
    await page.getByRole("button", { name: "revise", exact: true }).click();
    expect(await done).toMatchObject({
      hookSpecificOutput: { decision: { updatedInput: { answers: { "What now?": "revise" } } } },
    });
    expect(errors).toEqual([]);
  });

  it("a question that is answered elsewhere says so before it goes", async () => {
    const scene = await answeringScene();
    const { page, errors } = await opened(scene, "/inbox");
    const { done } = holding(scene, QUESTION);
    const article = page.getByRole("article");
    await article.waitFor();
    const [open] = await scene.client.decisions("open");
    await scene.client.resolve(open?.id ?? "", { choices: ["Red"] });
    await done;
    await article.waitFor({ state: "detached" });
    await page
      .locator(".given")
      .getByText(/^Answered with Red by /)
      .waitFor();
    expect(errors).toEqual([]);
  });

  it("an answer from a second place is told that it is too late, and changes nothing", async () => {
    const scene = await answeringScene();
    const { page } = await opened(scene, "/inbox");
    const { done } = holding(scene, QUESTION);
    const article = page.getByRole("article");
    await article.waitFor();
    const [open] = await scene.client.decisions("open");
    // The page does not hear of it before it answers, too.
    await page.route("**/answer", async (route) => {
      await scene.client.resolve(open?.id ?? "", { choices: ["Red"] });
      await route.continue();
    });
    await article.getByRole("button", { name: "Blue", exact: true }).click();
    await page.getByText(/^Too late: .*answered with Red/).waitFor();
    expect(await done).toMatchObject({
      hookSpecificOutput: { decision: { updatedInput: { answers: { "Which colour?": "Red" } } } },
    });
  });
});
