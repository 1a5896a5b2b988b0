import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { loggedIn, openBrowser, openPage } from "./support/browser.ts";
import { busyDay } from "./support/busy-day.ts";
import { openScene } from "./support/scene.ts";

const VIEWS = [
  ["agents", "/"],
  ["night", "/?show=night"],
  ["inbox", "/inbox"],
  ["session", "/sessions/session-claude%20in%20shop"],
  ["activity", "/activity"],
  ["hooks", "/hooks"],
  ["replay", "/replay"],
] as const;

const SIZES = [
  ["wide", { width: 1360, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const;

describe("the look", () => {
  leaveOut(notLinux);
  it("is written as pictures", async () => {
    const scene = await openScene();
    await scene.configure([
      {
        name: "no-force-push",
        type: "inline",
        matcher: { events: ["PreToolUse"] },
        rules: 'command runs "git push --force" -> deny("Use --force-with-lease on your own branch.")\n',
      },
      {
        name: "ask-before-publishing",
        type: "inline",
        matcher: { events: ["PreToolUse"] },
        rules: 'command runs "npm publish" -> ask("Publishing needs a person.")\n',
      },
      {
        name: "lint-on-edit",
        type: "command",
        matcher: { events: ["PostToolUse"] },
        command: "npm run lint",
      },
    ]);
    busyDay(scene);
    const browser = await openBrowser();
    const folder = process.env.TENTERHOOK_PICTURES ?? join(ROOT, "node_modules/.cache/dashboard");
    mkdirSync(folder, { recursive: true });
    for (const colorScheme of ["light", "dark"] as const)
      for (const [size, viewport] of SIZES) {
        const { page } = await openPage(browser, { colorScheme, viewport });
        await loggedIn(page, await scene.client.dashboard());
        for (const [name, path] of VIEWS) {
          await page.goto(new URL(path, page.url()).href);
          await page.waitForFunction(
            () =>
              document.querySelector("[aria-busy=true]") === null &&
              document.querySelector("main h1") !== null,
          );
          await page.waitForTimeout(300);
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
        }
      }
  });
});
