import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { PROGRAM } from "./hook-process.mjs";

const run = promisify(execFile);

/** Chromium without a network. */
export function openBrowser() {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"],
  });
}

/**
 * A browser's page that has logged in to the dashboard of this daemon.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {NodeJS.ProcessEnv} environment
 */
export async function dashboardPage(browser, environment) {
  const { stdout } = await run(process.execPath, [PROGRAM, "dashboard", "--no-open", "--json"], {
    env: environment,
  });
  const page = await (await browser.newContext({ viewport: { width: 1360, height: 900 } })).newPage();
  await page.goto(JSON.parse(stdout).url);
  const { origin } = new URL(page.url());
  /**
   * How long a view takes until this is to be seen.
   *
   * @param {string} path
   * @param {string} seen
   */
  const open = async (path, seen) => {
    await page.goto("about:blank");
    const began = performance.now();
    await page.goto(`${origin}${path}`, { waitUntil: "commit" });
    await page.locator(seen).first().waitFor({ timeout: 20_000 });
    return performance.now() - began;
  };
  return { page, open };
}
