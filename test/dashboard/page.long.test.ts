import { describe, expect, it } from "vitest";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { connected, loggedIn, pageOpener } from "./support/browser.ts";
import { openScene, type Scene } from "./support/scene.ts";

const openPage = pageOpener();

async function opened(scene: Scene, path = "/") {
  const { page, errors } = await openPage();
  await loggedIn(page, await scene.client.dashboard(), path);
  return { page, errors };
}

describe("the page", () => {
  leaveOut(notLinux);

  it("says that it reconnects when the daemon is gone, and goes on when there is another one", async () => {
    const scene = await openScene();
    scene.report([[1, "agent:turn", "before", { host: "claude" }]]);
    const { page } = await opened(scene);
    await page.getByRole("row", { name: /before/ }).waitFor();
    await scene.daemon.close();
    await page.getByRole("status").filter({ hasText: "Reconnecting" }).waitFor();
    await page.getByRole("row", { name: /before/ }).waitFor();
    const again = await openScene(scene);
    again.report([[0, "agent:turn", "after", { id: "after-1", host: "codex" }]]);
    await connected(page);
    await page.getByRole("row", { name: /after/ }).waitFor();
  });

  it("draws a row for each of 300 agents, and of many calls only those that can be seen", async () => {
    const scene = await openScene();
    scene.report(
      Array.from({ length: 300 }, (_, at) => [1, "agent:turn", `worker-${at}`, { host: "claude" }] as const),
    );
    scene.record(
      Array.from({ length: 3000 }, (_, at) => ({
        minutes: 1 + at / 100,
        agent: "worker-7",
        command: `call ${at}`,
      })),
    );
    const { page } = await opened(scene);
    const rows = page.getByRole("table", { name: "Agents" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(301);
    await page.goto(new URL("/sessions/session-worker-7", page.url()).href);
    const calls = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
    await calls.first().waitFor();
    for (let at = 0; at < 40; at += 1) {
      await page.mouse.wheel(0, 3000);
      await page.waitForTimeout(50);
    }
    await expect.poll(() => calls.first().innerText()).not.toContain("call 0\n");
    expect(await calls.count()).toBeLessThan(120);
  });
});
