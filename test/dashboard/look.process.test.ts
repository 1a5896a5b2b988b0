import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { newProject } from "../cli/support/project.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import type { AtEnd } from "../support/temporary-folder.ts";
import { barriers } from "./support/axe.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { busyDay } from "./support/busy-day.ts";
import { takePicture } from "./support/pictures.ts";
import { openScene, type Scene } from "./support/scene.ts";

const openPage = pageOpener();

const VIEWS = [
  ["agents", "/"],
  ["night", "/?show=night"],
  ["inbox", "/inbox"],
  ["session", "/sessions/session-claude%20in%20shop"],
  ["activity", "/activity"],
  ["hooks", "/hooks?hook=no-force-push"],
  ["replay", "/replay"],
] as const;

const SIZES = [
  ["wide", { width: 1360, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const;

const HOOKS = [
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
  { name: "lint-on-edit", type: "command", matcher: { events: ["PostToolUse"] }, command: "npm run lint" },
];

/** A rule that was changed and tried, which says more than one that was only opened. */
async function tryRule(page: Page): Promise<void> {
  const editor = page.getByRole("textbox", { name: "Rule text" });
  await editor.fill(
    `name: no-force-push\ntype: inline\nmatcher: { events: [PreToolUse] }\nrules: |\n  command runs "git push --force" -> deny("Use --force-with-lease on your own branch.")\n  command runs "git push" -> ask("Pushing needs a person.")`,
  );
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("Tried on").waitFor();
}

describe("every view", () => {
  leaveOut(notLinux);
  let scene: Scene;
  const ends: Parameters<AtEnd>[0][] = [];
  beforeAll(async () => {
    const atEnd: AtEnd = (end) => void ends.push(end);
    scene = await openScene(newProject({ atEnd }), atEnd);
    await scene.configure(HOOKS);
    busyDay(scene);
    return async () => {
      for (const end of ends.reverse()) await end();
    };
  });

  it.each(
    ["light", "dark"].flatMap((scheme) => SIZES.map(([size, viewport]) => [scheme, size, viewport] as const)),
  )("in %s and %s has no barrier and nothing in its console", async (scheme, size, viewport) => {
    const colorScheme = scheme === "dark" ? "dark" : "light";
    const { page, errors } = await openPage({ colorScheme, viewport, reducedMotion: "reduce" });
    await loggedIn(page, await scene.client.dashboard());
    const found: Record<string, readonly string[]> = {};
    for (const [name, path] of VIEWS) {
      await page.goto(new URL(path, page.url()).href);
      await page.locator("main h1").waitFor();
      await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      if (name === "hooks") await tryRule(page);
      await takePicture(page, `${name}-${size}-${scheme}`);
      found[name] = await barriers(page);
    }
    expect(found).toEqual(Object.fromEntries(VIEWS.map(([name]) => [name, []])));
    expect(errors).toEqual([]);
  });
});
