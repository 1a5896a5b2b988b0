import { describe, expect, it } from "vitest";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { activityOpener } from "./support/activity.ts";

const opened = activityOpener();

describe("activity", () => {
  leaveOut(notLinux);

  it("is shown for the range that is dragged over a plot or written, with all its numbers", async () => {
    const { page } = await opened();
    const totals = page.getByRole("region", { name: "Totals" });
    await totals.getByText("7", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Day" }).click();
    await totals.getByText("6", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Week" }).click();
    const plot = page.getByRole("img", { name: "Stopped and asked over time" });
    const { x = 0, y = 0, width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
    // The call of the day before is left of the last sixth.
    await page.mouse.move(x + width - 19, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - width / 12, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await totals.getByText("6", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.has("from")).toBe(true);
    await page.getByLabel("From").fill("2026-01-01T00:00");
    await totals.getByText("7", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has("from")).toBe(false);
  });

  it("has runs, failures and the time of hooks as plots over time", async () => {
    const { page } = await opened();
    for (const name of ["Runs and failures of hooks over time", "Time of a hook over time"]) {
      const plot = page.getByRole("img", { name });
      await plot.waitFor();
      await plot.hover();
      expect(await plot.locator("canvas").count()).toBe(1);
    }
  });
});
