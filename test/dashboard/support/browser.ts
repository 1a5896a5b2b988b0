import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { AtEnd } from "../../support/temporary-folder.ts";

/** Chromium without a network, which ends with the test or with what `atEnd` belongs to. */
export async function openBrowser(atEnd: AtEnd = onTestFinished): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"],
  });
  atEnd(() => browser.close());
  return browser;
}

/** A page of a browser of its own. Whatever it writes into its console must be expected. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return { page, errors };
}

/** Waits until the page shows that it is connected. */
export async function connected(page: Page): Promise<void> {
  await page.getByRole("status").filter({ hasText: "Connected" }).waitFor({ state: "attached" });
}

export async function loggedIn(page: Page, url: string, path = "/"): Promise<void> {
  await page.goto(url);
  await connected(page);
  expect(new URL(page.url()).search).toBe("");
  if (path !== "/") {
    await page.goto(new URL(path, page.url()).href);
    await connected(page);
  }
}
