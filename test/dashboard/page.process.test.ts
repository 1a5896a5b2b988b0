import { describe, expect, it } from "vitest";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { openScene, type Scene } from "./support/scene.ts";

const openPage = pageOpener();

const HOSTILE = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>&amp;\u202e"'`;

async function opened(scene: Scene, path = "/") {
  const { page, errors } = await openPage();
  await loggedIn(page, await scene.client.dashboard(), path);
  return { page, errors };
}

describe("the page", () => {
  leaveOut(notLinux);

  it("shows figures that equal the recorded runs, and each leads to its calls", async () => {
    const scene = await openScene();
    const kinds = ["deny", "deny", "ask", "continue", "continue", "continue", "continue"];
    scene.record(
      kinds.map((action, at) => ({
        minutes: at + 1,
        agent: "a",
        command: `call ${at}`,
        action,
        reason: `because ${at}`,
      })),
    );
    scene.record([{ minutes: 9, agent: "b", command: "slow", hook: "lint", failure: "It took too long." }]);
    const { page, errors } = await opened(scene, "/activity");
    const totals = page.getByRole("region", { name: "Totals" });
    await totals.waitFor();
    expect((await totals.innerText()).split("\n").filter((line) => line !== "")).toEqual([
      ...["Calls", "8", "in 2 sessions", "Stopped", "2", "25 % of calls", "Asked", "1", "13 % of calls"],
      ...["Hook failures", "1", "of 8 runs of all hooks", "Time of a hook", "3 ms", "p95 3 ms, p99 3 ms"],
    ]);
    await totals.getByRole("link", { name: "2" }).click();
    const calls = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
    await calls.first().waitFor();
    expect(await calls.count()).toBe(2);
    await calls.first().getByRole("button").click();
    await page.getByRole("table", { name: "What each hook said" }).getByText("deny: because 0").waitFor();
    await page
      .getByRole("table", { name: "By hook" })
      .getByRole("row", { name: /no-force-push/ })
      .getByRole("link", { name: "1", exact: true })
      .click();
    await calls.filter({ hasText: "because 2" }).waitFor();
    expect(await calls.count()).toBe(1);
    expect(errors).toEqual([]);
  });

  it("takes hostile text in names, prompts, inputs and reasons for text", async () => {
    const scene = await openScene();
    scene.report([
      [2, "agent:turn", HOSTILE, { host: "claude", prompt: HOSTILE, new_turn: true }],
      [
        1,
        "agent:prompt",
        HOSTILE,
        {
          prompt_type: "question",
          question: [{ question: HOSTILE, options: [{ label: HOSTILE }, { label: "No" }] }],
          waits_until: scene.ago(-9),
        },
      ],
    ]);
    scene.record([
      { minutes: 1, agent: HOSTILE, command: HOSTILE, action: "deny", hook: HOSTILE, reason: HOSTILE },
    ]);
    const { page, errors } = await opened(scene);
    for (const path of [
      "/",
      "/inbox",
      `/sessions/${encodeURIComponent(`session-${HOSTILE}`)}`,
      "/activity?verdict=deny",
    ]) {
      await page.goto(new URL(path, page.url()).href);
      await page.getByText("onerror", { exact: false }).first().waitFor();
      expect(await page.locator("img, main script").count()).toBe(0);
    }
    expect(await page.title()).not.toContain("taken");
    expect(errors).toEqual([]);
  });

  it("says what is missing where there is nothing yet", async () => {
    const { page, errors } = await opened(await openScene());
    for (const [path, text] of [
      ["/", "No agent has reported yet"],
      ["/inbox", "Nobody waits for you"],
      ["/activity", "Nothing was decided in this time"],
      ["/hooks", "No project yet"],
      ["/replay", "Nothing to replay yet"],
      ["/sessions/nobody", "No calls"],
    ] as const) {
      await page.goto(new URL(path, page.url()).href);
      await page.getByText(text).waitFor();
    }
    expect(errors).toEqual([]);
  });

  it("shows the first call on the Activity page without waiting for the next look", async () => {
    const scene = await openScene();
    const { page } = await opened(scene);
    await page.clock.install();
    await page.goto(new URL("/activity", page.url()).href);
    await page.getByText("Nothing was decided in this time").waitFor();
    scene.record([
      { minutes: 1, agent: "ada", command: "git push --force", action: "deny", hook: "no-force" },
    ]);
    await page.clock.runFor(2000);
    await page.getByRole("region", { name: "Totals" }).getByText("in 1 session").waitFor();
  });
});
