import { describe, expect, it } from "vitest";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { viewOpener } from "./support/browser.ts";
import { runningAgent } from "./support/control.ts";
import { openScene } from "./support/scene.ts";

const opened = viewOpener();

describe("an agent in the page", () => {
  leaveOut(notLinux);

  it("that only its own terminal can answer names that terminal, and has no buttons", async () => {
    const scene = await openScene();
    const { tty } = await runningAgent(scene, { only_at_terminal: true });
    const { page } = await opened(scene, "/inbox");
    const article = page.getByRole("article", { name: "worker" });
    await article.getByText(`Only its own terminal takes one: ${tty}.`).waitFor();
    const buttons = await article.getByRole("button").allInnerTexts();
    expect(buttons).toEqual(["Take off the list"]);
    const reply = scene.client.resolve((await scene.client.decisions("open"))[0]?.id ?? "", {
      choices: ["allow"],
    });
    await expect(reply).rejects.toThrow("Refused: worker takes an answer to this only in its own terminal.");
  });

  it("of which nobody has heard for long says since when", async () => {
    const scene = await openScene();
    const since = scene.ago(40);
    scene.report([
      [60, "agent:turn", "silent", { host: "claude", prompt: "Work.", new_turn: true }],
      [1, "agent:quiet", "silent", { no_news_since: since }],
    ]);
    const { page } = await opened(scene, "/");
    const row = page.getByRole("table", { name: "Agents" }).getByRole("row", { name: /silent/ });
    await row.getByText(/^no news since \d\d:\d\d$/).waitFor();
  });
});
