import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { lookUp, waysIn } from "../../scripts/site/ways.mjs";
import { barriers } from "../dashboard/support/axe.ts";
import { pageOpener } from "../dashboard/support/browser.ts";
import { filesBelow, ROOT, read } from "../repository/support/files.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { served } from "./support/serve.ts";

const BUILT = join(ROOT, "site/.vitepress/dist");
const PLACES = ["/", "/playground", "/guides/rules", "/reference/obedience", "/reference/agents"];
const NARROW = { width: 390, height: 844 };

const openPage = pageOpener();

/** Opens a page of the site; what it asks elsewhere is listed. */
async function opened(path: string, options: Parameters<typeof openPage>[0] = {}) {
  const origin = await served(BUILT);
  const { page, errors } = await openPage(options);
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
      elsewhere.push(request.url());
  });
  await page.goto(origin + path);
  return { page, errors, elsewhere, origin };
}

const verdict = (page: Page) => page.locator(".verdict-card .word");
const background = (page: Page) => page.evaluate("getComputedStyle(document.body).backgroundColor");

describe("the site", () => {
  leaveOut(notLinux);
  beforeAll(() => {
    execFileSync(process.execPath, ["scripts/site.mjs"], { cwd: ROOT, stdio: "pipe", timeout: 290_000 });
  });

  it("shows the six ways, what is proven and a verdict without JavaScript", async () => {
    const { page } = await opened("/", { javaScriptEnabled: false });
    const ways = await page.locator(".ways h3").allInnerTexts();
    // Each has a link to itself, which nobody sees.
    expect(ways.map((name) => name.replace(/\s*\u200b$/, ""))).toEqual(
      waysIn(read("docs/README.md")).map(({ name }) => name),
    );
    const obedience = read("docs/reference/obedience.md");
    const rows = await page.locator("h2#proven ~ table tbody tr").allInnerTexts();
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const [agent, version, date] = row.split("\t");
      expect(obedience).toContain(`| ${agent} | ${version} | ${date} |`);
    }
    const play = await opened("/playground", { javaScriptEnabled: false });
    expect(await verdict(play.page).innerText()).toBe("Asks you");
  });

  it("has every guide and every list of the reference in two clicks", async () => {
    const { page } = await opened("/", { javaScriptEnabled: false });
    const linked = await page
      .locator("main a")
      .evaluateAll((links) => links.map((one) => one.getAttribute("href")));
    const guides = filesBelow("docs/guides", /\.md$/).map((file) =>
      file.replace(/^docs\/guides\/|\.md$/g, ""),
    );
    expect(guides.filter((name) => !linked.some((href) => href?.includes(`/guides/${name}`)))).toEqual([]);
    for (const { link } of lookUp(read("docs/README.md")))
      expect(existsSync(join(BUILT, link.replace(".md", ".html"))), link).toBe(true);
  });

  it("is dark or light as the reader's system is, without a script", async () => {
    const colours: unknown[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await opened("/", { colorScheme, javaScriptEnabled: true });
      colours.push(await background(page));
      expect((await page.locator("html").getAttribute("class")) ?? "").not.toContain("dark");
    }
    expect(colours).toEqual(["rgb(251, 251, 250)", "rgb(20, 20, 19)"]);
  });

  it.each(PLACES)(
    "is no wider than a phone, has no barriers and asks nothing elsewhere: %s",
    async (place) => {
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, errors, elsewhere } = await opened(place, { viewport: NARROW, colorScheme });
        await page.waitForLoadState("networkidle");
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
        expect(await barriers(page)).toEqual([]);
        expect({ errors, elsewhere }).toEqual({ errors: [], elsewhere: [] });
      }
    },
  );

  it("finds a page by a word of it", async () => {
    const { page, elsewhere } = await opened("/");
    await page
      .getByRole("button", { name: /Search/ })
      .first()
      .click();
    await page.getByRole("searchbox").fill("forced push");
    await page.getByRole("option").first().waitFor();
    expect(elsewhere).toEqual([]);
  });

  it("has every page as Markdown, an index and all in one for models", () => {
    const index = readFileSync(join(BUILT, "llms.txt"), "utf8");
    const paths = [...index.matchAll(/\]\(\/([^)]+)\)/g)].map(([, path = ""]) => path);
    const all = readFileSync(join(BUILT, "llms-full.txt"), "utf8");
    expect(paths.length).toBeGreaterThan(45);
    for (const path of paths) {
      const text = readFileSync(join(BUILT, path), "utf8");
      expect(existsSync(join(BUILT, path.replace(/\.md$/, ".html"))), path).toBe(true);
      expect(all.includes(text), path).toBe(true);
    }
  });
});

describe("the playground", () => {
  leaveOut(notLinux);

  it("answers while somebody types, and its address brings the same back", async () => {
    const { page, errors, elsewhere, origin } = await opened("/playground", { viewport: NARROW });
    await page.getByLabel("A command").fill("rm -rf ~");
    await verdict(page).filter({ hasText: "Denied" }).waitFor();
    await page
      .getByLabel("Your rules")
      .fill('command runs "rm" -> deny("No rm.")\ncommand runs "ls" -> ask("?")');
    await page.getByText("No rm.", { exact: true }).waitFor();
    expect(await page.locator(".fit").allInnerTexts()).toEqual(["holds", "does not hold"]);
    const address = page.url();
    expect(new URL(address).search).toBe("");
    await page.goto("about:blank");
    await page.goto(address);
    await page.getByText("No rm.", { exact: true }).waitFor();
    const rule = await page.locator(".spoken a").first().getAttribute("href");
    await page.goto(origin + rule);
    expect(await page.locator(new URL(page.url()).hash).count()).toBe(1);
    expect({ errors, elsewhere }).toEqual({ errors: [], elsewhere: [] });
  });

  it("reads a payload of an agent, shows what that is told, and says what is wrong with a rule", async () => {
    const { page, errors } = await opened("/playground");
    await page.getByRole("button", { name: "A payload of Codex" }).click();
    await page.getByRole("heading", { name: "What codex is told" }).waitFor();
    await page.getByLabel("Your rules").fill("command runs x");
    await page.getByRole("alert").filter({ hasText: 'expected a string after "runs"' }).waitFor();
    await page.getByLabel("Your rules").fill("hooks:\n  definitions:\n    - name: a\n");
    await page.getByRole("alert").filter({ hasText: "hooks.yaml:3" }).waitFor();
    expect(errors).toEqual([]);
  });
});
