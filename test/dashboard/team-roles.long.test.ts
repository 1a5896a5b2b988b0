import { spawn } from "node:child_process";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { newProject } from "../cli/support/project.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { endAfterTest } from "../support/processes.ts";
import type { AtEnd } from "../support/temporary-folder.ts";
import { connected, followRequests, logIn, pageOpener } from "./support/browser.ts";
import { busyDay } from "./support/busy-day.ts";
import { faultsInEveryLook } from "./support/looks.ts";
import { openScene, type Scene } from "./support/scene.ts";

const openPage = pageOpener();
const HOOK = "no-force-push";
const [SESSION, ENDING] = ["/sessions/session-claude%20in%20shop", "/sessions/session-worker"];
const VIEWS = ["/", "/inbox", SESSION, ENDING, "/activity", "/hooks", `/hooks?hook=${HOOK}`, "/replay"];
const MOST_CLICKS = 80;

/** A team's monitor on a busy day, with an agent of its own machine that could be stopped there. */
async function busyTeam(atEnd: AtEnd): Promise<Scene> {
  const scene = await openScene(newProject({ atEnd }), atEnd, {
    serve: { host: "127.0.0.1", port: 0, tls: "proxy" },
  });
  const rules = 'command runs "git push --force" -> deny("Use --force-with-lease.")\n';
  await scene.configure([
    { name: HOOK, type: "inline", matcher: { events: ["PreToolUse"] }, rules },
    { name: "off", type: "inline", enabled: false, matcher: { events: ["PreToolUse"] }, rules },
  ]);
  busyDay(scene);
  const worker = spawn("sleep", ["600"]);
  endAfterTest(worker, atEnd);
  scene.report([
    [3, "agent:launched", "worker", { host: "claude", ...agentProcess(worker.pid ?? 0) }],
    [2, "agent:turn", "worker", { prompt: "Work.", new_turn: true }],
  ]);
  return scene;
}

describe("the page of a team", () => {
  leaveOut(notLinux);
  let scene: Scene;
  const ends: Parameters<AtEnd>[0][] = [];
  beforeAll(async () => {
    scene = await busyTeam((end) => void ends.push(end));
    return async () => {
      for (const end of ends.reverse()) await end();
    };
  });

  async function opened(role: "viewer" | "person", options: Parameters<typeof openPage>[0] = {}) {
    const { page, errors } = await openPage(options);
    const { token } = await scene.client.createToken({ role, name: `the-${role}` });
    await logIn(page, scene.daemon.info.serves ?? "", token);
    await connected(page);
    // Until then, nothing is for a stranger.
    errors.length = 0;
    return { page, errors };
  }

  it("says once at each question that a viewer can look, and has no field for an answer", async () => {
    const { page } = await opened("viewer");
    await show(page, "/inbox");
    const questions = page.getByRole("article");
    const said = questions.getByText("Your token can look, not answer.", { exact: true });
    await expect.poll(() => questions.count()).toBeGreaterThan(2);
    expect(await said.count()).toBe(await questions.count());
    expect(await questions.getByRole("textbox").count()).toBe(0);
    expect(await questions.getByRole("button").filter({ hasNotText: "Show" }).count()).toBe(0);
    // What could be chosen is shown.
    await questions
      .getByRole("listitem")
      .filter({ hasText: "Rename now and deploy both together" })
      .waitFor();
    const permission = questions.filter({ has: page.getByText("permission", { exact: true }) }).first();
    expect(await permission.locator("li .label").allTextContents()).toEqual(["allow", "deny"]);
    await page.getByText("the-viewer · viewer").waitFor();
  });

  it("shows which hooks are in force where nobody can turn them off, and where to replay", async () => {
    const { page } = await opened("person");
    await show(page, "/hooks");
    const row = (name: RegExp) => page.getByRole("table", { name: "Hooks" }).getByRole("row", { name });
    await row(/^no-force-push .* yes$/).waitFor();
    await row(/^off .* no$/).waitFor();
    expect(await page.getByRole("navigation", { name: "Main" }).getByText("Replay").count()).toBe(0);
    await show(page, "/replay");
    await page.getByText("Sessions are replayed on the machine that has them").waitFor();
  });

  it("of a stranger and a viewer has no barrier in any look and nothing in its console", async () => {
    const { page: stranger, errors: strange } = await openPage();
    await stranger.goto(scene.daemon.info.serves ?? "");
    expect(await faultsInEveryLook(stranger, "team-login")).toEqual([]);
    expect(strange.filter((error) => !error.includes("401"))).toEqual([]);
    const { page, errors } = await opened("viewer", { reducedMotion: "reduce" });
    const found: Record<string, readonly string[]> = {};
    for (const path of VIEWS) {
      await show(page, path);
      found[path] = await faultsInEveryLook(page, `team-${path.split(/[/?]/)[1] || "agents"}`);
    }
    expect(found).toEqual(Object.fromEntries(VIEWS.map((path) => [path, []])));
    expect(errors).toEqual([]);
  });

  it.each(["viewer", "person"] as const)("has nothing for a %s that is refused", async (role) => {
    const { page } = await opened(role);
    const { refused, settled } = followRequests(page);
    for (const path of VIEWS) {
      await show(page, path);
      await pressEverything(page);
      await settled();
    }
    expect(refused).toEqual([]);
  });
});

async function show(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await connected(page);
  await page.locator("main h1").waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Presses every button that can be pressed, and those that appear meanwhile. */
async function pressEverything(page: Page): Promise<void> {
  for (let click = 0; click < MOST_CLICKS; click++) {
    const pressed = await page.evaluate(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>("button:enabled, [role=switch]:enabled")];
      const next = buttons.find((one) => one.dataset.pressed === undefined);
      if (next === undefined) return false;
      next.dataset.pressed = "";
      next.click();
      return true;
    });
    if (!pressed) return;
  }
  throw new Error(`There are more than ${MOST_CLICKS} buttons.`);
}
