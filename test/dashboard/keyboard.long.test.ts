import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { followRequests, loggedIn, pageOpener } from "./support/browser.ts";
import { busyDay } from "./support/busy-day.ts";
import { press, tabTo } from "./support/keyboard.ts";
import { openScene } from "./support/scene.ts";

const openPage = pageOpener();

/** The page of somebody with one rule, in whose project this command was called. */
async function guardedPage(command: string): Promise<Page> {
  const scene = await openScene();
  await scene.configure([
    rulesHook("no-force-push", 'command runs "git push --force" -> deny("Not by force.")\n'),
  ]);
  scene.record([{ minutes: 3, agent: "a", command }]);
  const { page } = await openPage();
  await loggedIn(page, await scene.client.dashboard());
  return page;
}

describe("with the keyboard alone", () => {
  leaveOut(notLinux);

  it("agents are filtered, and one opens with its calls", async () => {
    const scene = await openScene();
    busyDay(scene);
    const { page, errors } = await openPage();
    await loggedIn(page, await scene.client.dashboard());
    await page.getByRole("table", { name: "Agents" }).waitFor();
    await press(page, "/");
    await page.keyboard.type("shop waits");
    const rows = page.getByRole("table", { name: "Agents" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(2);
    await tabTo(page, rows.getByRole("link", { name: "claude in shop" }));
    await press(page, "Enter");
    await page.getByRole("heading", { level: 1, name: "claude in shop" }).waitFor();
    const call = page.getByRole("button", { name: "Bash git push --force origin main" });
    await tabTo(page, call);
    await press(page, "Enter");
    await page.getByRole("table", { name: "What each hook said" }).waitFor();
    await press(page, "Enter");
    await page.getByRole("table", { name: "What each hook said" }).waitFor({ state: "detached" });
    await press(page, "g", "a");
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "Night" }));
    await press(page, "Enter");
    await page.getByText("Last 12 hours").waitFor();
    await press(page, "?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await press(page, "Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    expect(errors).toEqual([]);
  });

  it("the question is answered that the keys have moved to, however fast they come", async () => {
    const scene = await openScene();
    const asks = { prompt_type: "permission", question: "May I?", waits_until: scene.ago(-30) };
    scene.report(["one", "two", "three"].map((agent) => [1, "agent:prompt", agent, asks] as const));
    const { page } = await openPage();
    await loggedIn(page, await scene.client.dashboard(), "/inbox");
    const articles = page.getByRole("article");
    await expect.poll(() => articles.count()).toBe(3);
    const second = await articles.nth(1).getAttribute("aria-label");
    // Before the page is painted again.
    await page.evaluate(async () => {
      for (const key of ["j", "j", "1"]) {
        dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
        await new Promise((resolve) => setTimeout(resolve));
      }
    });
    await expect
      .poll(async () =>
        (await scene.client.decisions("all"))
          .filter(({ state }) => state === "resolved")
          .map(({ agent_id }) => agent_id),
      )
      .toEqual([second]);
  });

  it("a view is left for another one also soon after a key that began the same", async () => {
    const scene = await openScene();
    const { page } = await openPage();
    await page.clock.install();
    await loggedIn(page, await scene.client.dashboard());
    await page.clock.pauseAt(Date.now() + 60_000);
    await press(page, "g");
    await page.clock.runFor(1400);
    await press(page, "g");
    await page.clock.runFor(200);
    await press(page, "i");
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  });

  it("activity is grouped, bounded and followed to the calls behind a number", async () => {
    const scene = await openScene();
    busyDay(scene);
    const { page } = await openPage();
    await loggedIn(page, await scene.client.dashboard());
    await press(page, "g", "c");
    await tabTo(page, page.getByRole("button", { name: "Range" }));
    await press(page, "Enter");
    await tabTo(page, page.getByLabel("From"));
    // Month, day, year.
    await page.keyboard.type("01012026");
    await expect
      .poll(() => new Date(Number(new URL(page.url()).searchParams.get("from"))).getMonth())
      .toBe(0);
    await tabTo(page, page.getByRole("button", { name: "Agent", exact: true }));
    await press(page, "Enter");
    const codex = page.getByRole("table", { name: "By agent" }).getByRole("row", { name: /codex/ });
    await tabTo(page, codex.getByRole("link").nth(1));
    await press(page, "Enter");
    await page.getByRole("list", { name: "Calls" }).waitFor();
    await tabTo(page, page.getByRole("link", { name: "Close" }));
    await press(page, "Enter");
    await page.getByRole("list", { name: "Calls" }).waitFor({ state: "detached" });
  });

  it("a date keeps the digits that are typed while figures arrive", async () => {
    const scene = await openScene();
    busyDay(scene);
    const { page } = await openPage();
    await loggedIn(page, await scene.client.dashboard(), `/activity?from=${Date.parse("2025-12-23")}`);
    const { settled } = followRequests(page);
    // Figures arrive when the test lets them: after a digit that is no month yet.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/activity*", async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.goto(page.url());
    await tabTo(page, page.getByLabel("From"));
    await page.keyboard.type("0");
    release();
    await page.getByRole("table", { name: "By hook" }).waitFor();
    for (const digit of "1012026") {
      await page.keyboard.type(digit);
      await settled();
    }
    const from = () => new Date(Number(new URL(page.url()).searchParams.get("from")));
    await expect.poll(() => from().toDateString()).toBe("Thu Jan 01 2026");
    // What is left before it is whole is the time that is shown.
    await page.keyboard.press("Tab");
    await page.getByLabel("From").focus();
    await page.keyboard.press("Delete");
    await tabTo(page, page.getByRole("button", { name: "Clear" }));
    expect(await page.getByLabel("From").inputValue()).toMatch(/^2026-01-01T/);
  });

  it("a replay is searched, and one of its calls opens", async () => {
    const page = await guardedPage("git push --force origin main");
    await press(page, "g", "p");
    await tabTo(page, page.getByRole("searchbox", { name: "Search calls" }));
    await page.keyboard.type("force");
    const call = page.getByRole("list", { name: "Changed calls" }).getByRole("button");
    await tabTo(page, call);
    await press(page, "Enter");
    await page.getByText("Would be", { exact: true }).waitFor();
  });

  it("a rule is opened, changed, tried, saved and turned off", async () => {
    const page = await guardedPage("npm publish");
    await press(page, "g", "h");
    await tabTo(page, page.getByRole("button", { name: "no-force-push" }));
    await press(page, "Enter");
    await tabTo(page, page.getByRole("textbox", { name: "Rule text" }));
    await press(page, "Control+End");
    await page.keyboard.type('\n  command runs "npm publish" -> ask("Sure?")');
    await tabTo(page, page.getByRole("button", { name: "Try it" }));
    await press(page, "Enter");
    await page.getByText("Tried on 1 recorded call").waitFor();
    await tabTo(page, page.getByRole("button", { name: "Save" }));
    await press(page, "Enter");
    await page.getByText("Saved. It decides the next call.").waitFor();
    const inForce = page.getByRole("switch", { name: "no-force-push" });
    await tabTo(page, inForce);
    await press(page, "Space");
    await expect.poll(() => inForce.getAttribute("aria-checked")).toBe("false");
  });
});
