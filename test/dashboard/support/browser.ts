import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { needs } from "../../support/needs.ts";
import type { Scene } from "./scene.ts";

/** The machine may be busy. */
const PATIENCE_MILLISECONDS = 60_000;

/** Chromium without a network. It does not always remove what it writes into its temporary folder. */
function startBrowser(folder: string): Promise<Browser> {
  return chromium.launch({
    env: { ...process.env, TMPDIR: folder },
    executablePath: "/usr/bin/chromium",
    timeout: PATIENCE_MILLISECONDS,
    args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"],
  });
}

/** A page, and what it has written into its console: whatever that is must be expected. */
interface OpenedPage {
  readonly page: Page;
  readonly errors: string[];
}

/**
 * Opens pages for the tests of a file. Each page has a context of its own, like a browser that was just installed, which ends
 * with its test. One Chromium shows them all; the first page starts it.
 */
export function pageOpener(): (options?: BrowserContextOptions) => Promise<OpenedPage> {
  needs("chromium");
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-chromium-"));
  let browser: Promise<Browser> | undefined;
  afterAll(async () => {
    await (await browser)?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return async (options = {}) => {
    browser ??= startBrowser(folder);
    const context = await (await browser).newContext({ viewport: { width: 1360, height: 900 }, ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    return { page, errors };
  };
}

/** Waits until the page shows that it is connected. */
export async function connected(page: Page): Promise<void> {
  await page.getByRole("status").filter({ hasText: "Connected" }).waitFor({ state: "attached" });
}

/** Logs in by a link, and opens a view. */
export async function loggedIn(page: Page, url: string, path = "/"): Promise<void> {
  const view = new URL(path, url);
  await page.goto(`${view.href}${new URL(url).hash}`);
  await connected(page);
  expect(page.url()).toBe(view.href);
}

/** The receipt of an answer, which is shown for a while. Where the machine is busy, the page does not wait for the hook. */
export const RECEIPT = /^(?:(?:Given to|Taken by) .+|Noted, but .+ was not given it yet)\.$/;

/** Opens pages for the tests of a file, each at a view of a scene. */
export function viewOpener() {
  const openPage = pageOpener();
  return async ({ client }: Scene, path: string): Promise<OpenedPage> => {
    const opened = await openPage();
    await loggedIn(opened.page, await client.dashboard(), path);
    return opened;
  };
}

/** Follows what a page asks the server for; `settled` waits until it has asked for nothing that is still on its way. */
export function followRequests(page: Page) {
  const running = new Set<Request>();
  const refused: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    // News have no end.
    if (pathname.startsWith("/api/") && pathname !== "/api/news") running.add(request);
  });
  page.on("requestfinished", (request) => running.delete(request));
  page.on("requestfailed", (request) => running.delete(request));
  page.on("response", (response) => {
    if (response.status() >= 400)
      refused.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  const settled = () => expect.poll(() => running.size, { timeout: PATIENCE_MILLISECONDS }).toBe(0);
  return { refused, settled };
}

/** Logs in at the page of a team. */
export async function logIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
}
