import { describe, expect, it } from "vitest";
import { QUESTION } from "../cli/support/watched-project.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { answeringScene, holding } from "./support/holding.ts";
import { press, tabTo } from "./support/keyboard.ts";

const openPage = pageOpener();

describe("with the keyboard alone", () => {
  leaveOut(notLinux);

  it("a question is answered by its number", async () => {
    const scene = await answeringScene();
    const { page } = await openPage();
    await loggedIn(page, await scene.client.dashboard());
    await press(page, "g", "i");
    const { done } = holding(scene, QUESTION);
    await page.getByRole("article").waitFor();
    await press(page, "j", "2");
    await page.getByText(/^Given to /).waitFor();
    expect(await done).toMatchObject({
      hookSpecificOutput: { decision: { updatedInput: { answers: { "Which colour?": "Red" } } } },
    });
    await tabTo(page, page.getByRole("button", { name: "Answered" }));
    await press(page, "Enter");
    await page.getByRole("table", { name: "Answered" }).getByText("Which colour?").waitFor();
  });
});
