import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeSession, projectWith } from "../know/replay/support.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { pageOpener } from "./support/browser.ts";
import { reports } from "./support/report.ts";

const openPage = pageOpener();

describe("a report", () => {
  leaveOut(notLinux);
  const { folder, opened } = reports(openPage);

  it("takes hostile text for text, shows what could hide something, and lets no other script run", async () => {
    const { page, errors } = await opened("few.html");
    const calls = page.getByRole("list", { name: "Changed calls" }).getByRole("listitem");
    await calls.first().getByRole("button").click();
    expect(await page.locator("img, main script").count()).toBe(0);
    const shown = await page.locator("body").innerText();
    expect(["\u202e", "\u001b"].filter((hidden) => shown.includes(hidden))).toEqual([]);
    expect(await calls.first().innerText()).toContain("\ufffd");
    await page.evaluate(
      `document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=\\"document.title='taken'\\">")`,
    );
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement("script"), { textContent: "document.title='taken'" }))`,
    );
    await expect
      .poll(() => errors.filter((text) => text.includes("Content Security Policy")).length)
      .toBeGreaterThan(1);
    expect(await page.title()).toBe("Replay · Tenterhook");
  });

  it("is what replay --html writes", async () => {
    const project = projectWith();
    const session = claudeSession([
      ["Bash", { command: "git push --force origin main" }],
      ["Bash", { command: "npm test" }],
    ]);
    const written = project.write("session.jsonl", session);
    const { code } = await project.start(["replay", "--html", join(folder(), "written.html"), written]);
    expect(code).toBe(0);
    const { page, errors } = await opened("written.html");
    const calls = page.getByRole("list", { name: "Changed calls" }).getByRole("listitem");
    await calls.filter({ hasText: "git push --force origin main" }).waitFor();
    await page.getByRole("table", { name: "Commands that nothing judged" }).getByText("npm test").waitFor();
    expect(errors).toEqual([]);
  });
});
