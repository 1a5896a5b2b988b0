import { describe, expect, it } from "vitest";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { eventually } from "../support/processes.ts";
import { viewOpener } from "./support/browser.ts";
import { runningAgent } from "./support/control.ts";
import { openScene } from "./support/scene.ts";

const opened = viewOpener();

describe("an agent in the page", () => {
  leaveOut(notLinux);

  it("reads a message that is sent there, and ends when it is stopped", async () => {
    const scene = await openScene();
    const { ended } = await runningAgent(scene);
    const { page } = await opened(scene, "/sessions/session-worker");
    await page.getByRole("button", { name: "Send a message" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill("Use the second branch.");
    await page.keyboard.press("Enter");
    await page.getByText("Given to the monitor, which sends it.").waitFor();
    await eventually(async () => expect((await scene.client.agents())[0]).not.toHaveProperty("pending"));
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Go on.", session_id: "session-worker" };
    expect((await scene.hook(prompt)).stdout).toContain("Use the second branch.");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Really stop it?" }).click();
    await ended;
    await page.getByText("worker has ended.").waitFor();
  });
});
