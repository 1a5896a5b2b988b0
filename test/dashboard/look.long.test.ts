import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { newProject } from "../cli/support/project.ts";
import { commandHook, rulesHook } from "../support/hook-definitions.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import type { AtEnd } from "../support/temporary-folder.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { busyDay } from "./support/busy-day.ts";
import { faultsInEveryLook } from "./support/looks.ts";
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

const HOOKS = [
  rulesHook(
    "no-force-push",
    'command runs "git push --force" -> deny("Use --force-with-lease on your own branch.")\n',
  ),
  rulesHook("ask-before-publishing", 'command runs "npm publish" -> ask("Publishing needs a person.")\n'),
  commandHook("lint-on-edit", "npm run lint", "PostToolUse"),
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

  it("has no barrier in any look and nothing in its console", async () => {
    const { page, errors } = await openPage({ reducedMotion: "reduce" });
    await loggedIn(page, await scene.client.dashboard());
    const found: Record<string, readonly string[]> = {};
    for (const [name, path] of VIEWS) {
      await page.goto(new URL(path, page.url()).href);
      await page.locator("main h1").waitFor();
      await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      if (name === "hooks") await tryRule(page);
      found[name] = await faultsInEveryLook(page, name);
    }
    expect(found).toEqual(Object.fromEntries(VIEWS.map(([name]) => [name, []])));
    expect(errors).toEqual([]);
  });
});
