import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reportPage } from "../../src/monitor/dashboard/report.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { barriers } from "./support/axe.ts";
import { pageOpener } from "./support/browser.ts";
import { faultsInEveryLook } from "./support/looks.ts";
import { HOSTILE, MADE, reports } from "./support/report.ts";

const openPage = pageOpener();

describe("a report", () => {
  leaveOut(notLinux);
  const { folder, opened } = reports(openPage);

  it("opens from a disk, asks nobody, says when it was made, and draws of 50,000 calls those that can be seen", async () => {
    const { page, errors, asked } = await opened("replay.html");
    await page.getByText("A report, made 18 Nov 2026, 01:20").waitFor();
    expect(await page.getByRole("navigation", { name: "Main" }).innerText()).toContain("Replay");
    const totals = page.getByRole("region", { name: "Totals" });
    expect((await totals.innerText()).split("\n").filter((line) => line !== "")).toEqual([
      ...["Sessions", "214", "claude, codex", "Calls", "90,000", "12 lines could not be read"],
      ...["Would deny", "16,667", "in 19 sessions", "Would ask", "33,333", "about 1,149 a day"],
      ...["Unchanged", "44 %", "40,000 calls"],
    ]);
    await page.getByRole("img", { name: "Changed calls by day" }).waitFor();
    const calls = page.getByRole("list", { name: "Changed calls" }).getByRole("listitem");
    expect(await calls.count()).toBeLessThan(120);
    expect(await calls.first().innerText()).toContain("branch-49999");
    expect(errors).toEqual([]);
    expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
  });

  it("is searched, and an address with words opens it that way", async () => {
    const { page } = await opened("replay.html?q=branch-4321+force&would=deny");
    const calls = page.getByRole("list", { name: "Changed calls" }).getByRole("listitem");
    await page.getByText("3 of 50,000").waitFor();
    expect(await calls.count()).toBe(3);
    await page.getByRole("button", { name: "All" }).click();
    await page.getByText("11 of 50,000").waitFor();
    await calls.first().getByRole("button").click();
    await calls.first().getByText("Was then").waitFor();
    await page.getByRole("searchbox", { name: "Search calls" }).fill("nobody wrote this");
    await page.getByText("No call fits").waitFor();
  });

  it("has no barrier in any look", async () => {
    const { page, errors } = await opened("month.html");
    expect(await faultsInEveryLook(page, "report")).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("has no button that changes anything", async () => {
    const { page } = await opened("few.html");
    const names = await page.locator("main button:not(.open)").allInnerTexts();
    expect(names).toEqual(["All", "ask", "deny"]);
    expect(await page.getByRole("status").count()).toBe(0);
  });

  it("of proofs shows agents by scenarios, and why something is not obeyed", async () => {
    const agents = [
      { title: "Claude Code", version: "2.1.325", scenarios: [{ name: "deny", result: "obeyed" as const }] },
      {
        title: "Codex",
        version: "0.166.0",
        scenarios: [
          { name: "deny", result: "not_reached" as const, why: HOSTILE, way_out: "tenterhook install codex" },
          { name: "ask", result: "degraded" as const, why: "Codex refuses instead" },
        ],
      },
    ];
    writeFileSync(join(folder(), "proof.html"), reportPage({ view: "prove", found: { agents } }, MADE));
    const { page, errors } = await opened("proof.html");
    const table = page.getByRole("table", { name: "Agents by scenario" });
    expect(await table.getByRole("row").allInnerTexts()).toEqual([
      "Agent\tdeny\task",
      "Claude Code 2.1.325\tobeyed\t–",
      "Codex 0.166.0\tnot reached\tweaker",
    ]);
    await page
      .getByRole("table", { name: "What is not obeyed" })
      .getByText("tenterhook install codex")
      .waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
