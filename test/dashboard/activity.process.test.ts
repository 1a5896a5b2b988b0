import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { activityOpener, FORCE, PUBLISH } from "./support/activity.ts";

const opened = activityOpener();

const table = (page: Page, by: string): Locator => page.getByRole("table", { name: `By ${by}` });

/** The rows of a table without what it has no text for. */
async function rows(page: Page, by: string): Promise<readonly string[]> {
  await table(page, by).waitFor();
  const texts = await table(page, by).getByRole("row").allInnerTexts();
  return texts.slice(1).map((text) => text.split(/\s*\t\s*/).join(" | "));
}

describe("activity", () => {
  leaveOut(notLinux);

  it("is told by hook, rule, agent and project, and every number leads to as many calls", async () => {
    const { page, errors } = await opened();
    expect(await rows(page, "hook")).toEqual([
      "git | 5 | 3 | 0 | 0 | 0 | 0 | 3 ms | 3 ms",
      "npm | 1 | 0 | 1 | 0 | 0 | 0 | 3 ms | 3 ms",
      "lint | 1 | 0 | 0 | 0 | 0 | 1 | 1.0 s | 1.0 s",
    ]);
    await page.getByRole("button", { name: "Rule" }).click();
    expect(await rows(page, "rule")).toEqual([
      `${FORCE} | git | 3 | 3 | 0 | 0 | 0 | 0 | 3 ms | 3 ms`,
      `${PUBLISH} | npm | 1 | 0 | 1 | 0 | 0 | 0 | 3 ms | 3 ms`,
    ]);
    await page.getByRole("button", { name: "Agent", exact: true }).click();
    expect(await rows(page, "agent")).toEqual([
      "claude | 5 | 2 | 1 | 0 | 0 | 1 | 3 ms | 1.0 s",
      "codex | 2 | 1 | 0 | 0 | 0 | 0 | 3 ms | 3 ms",
    ]);
    await page.getByRole("button", { name: "Project" }).click();
    expect((await rows(page, "project")).map((row) => row.replace(/^[^|]*/, ""))).toEqual([
      "| 5 | 2 | 1 | 0 | 0 | 1 | 3 ms | 1.0 s",
      "| 2 | 1 | 0 | 0 | 0 | 0 | 3 ms | 3 ms",
    ]);
    for (const by of ["hook", "rule", "agent", "project"]) {
      await page.getByRole("button", { name: new RegExp(`^${by}$`, "i") }).click();
      const links = table(page, by).locator("td.num a");
      await links.first().waitFor();
      const addresses = await links.evaluateAll((all) =>
        all.map((link) => [link.getAttribute("href") ?? "", link.textContent ?? ""] as const),
      );
      const calls = page.getByRole("list", { name: "Calls" });
      for (const [address, number] of addresses) {
        await table(page, by).locator(`td.num a[href="${address}"]`).click();
        await calls.waitFor();
        const shown = calls.getByRole("listitem");
        await expect.poll(() => shown.count(), { message: address }).toBe(Number(number));
        await page.goBack();
        await calls.waitFor({ state: "detached" });
      }
    }
    expect(errors).toEqual([]);
  });
});
