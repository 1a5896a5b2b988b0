import { beforeAll, describe, expect, it } from "vitest";
import { newProject } from "../cli/support/project.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import type { AtEnd } from "../support/temporary-folder.ts";
import { barriers } from "./support/axe.ts";
import { loggedIn, pageOpener } from "./support/browser.ts";
import { faultsInEveryLook } from "./support/looks.ts";
import { takePicture } from "./support/pictures.ts";
import { openScene, type Scene } from "./support/scene.ts";

const openPage = pageOpener();

const STEPS = Array.from(
  { length: 60 },
  (_, at) => `${at + 1}. Move part ${at + 1} of the checkout to its own package, with its tests.`,
);

const OPTIONS = Array.from({ length: 14 }, (_, at) => ({
  label: `Region ${at + 1}`,
  description: `Deploys to region ${at + 1} first, the others an hour later`,
}));

/** What a page must cope with: hundreds of agents, a question with many options, several at once, a plan of many steps. */
function crowd({ report, ago }: Scene): void {
  const waits = { waits_until: ago(-30) };
  report([
    ...Array.from(
      { length: 240 },
      (_, at) => [at % 50, "agent:turn", `worker-${at}`, { host: "claude", prompt: `Task ${at}` }] as const,
    ),
    [
      3,
      "agent:prompt",
      "an-agent-with-a-very-long-name-in-a-very-long-folder-name",
      {
        prompt_type: "question",
        question: [{ question: "Which region first?", options: OPTIONS }],
        ...waits,
      },
    ],
    [
      2,
      "agent:prompt",
      "several",
      {
        prompt_type: "question",
        question: [
          { question: "Which database?", options: [{ label: "PostgreSQL" }, { label: "SQLite" }] },
          {
            question: "Which checks?",
            multiSelect: true,
            options: [{ label: "Types" }, { label: "Tests" }, { label: "Links" }],
          },
        ],
        ...waits,
      },
    ],
    [
      1,
      "agent:prompt",
      "planner",
      { prompt_type: "plan_approval", question: `# Split it\n\n${STEPS.join("\n")}`, ...waits },
    ],
  ]);
}

describe("states that are rare", () => {
  leaveOut(notLinux);
  let empty: Scene;
  let full: Scene;
  const ends: Parameters<AtEnd>[0][] = [];
  beforeAll(async () => {
    const atEnd: AtEnd = (end) => void ends.push(end);
    empty = await openScene(newProject({ atEnd }), atEnd);
    full = await openScene(newProject({ atEnd }), atEnd);
    crowd(full);
    return async () => {
      for (const end of ends.reverse()) await end();
    };
  });

  it("have no barrier and fit in every look", async () => {
    const { page } = await openPage({ reducedMotion: "reduce" });
    const found: Record<string, readonly string[]> = {};
    const look = async (name: string): Promise<void> => {
      found[name] = await faultsInEveryLook(page, `state-${name}`);
    };
    const open = async (path: string, text: string): Promise<void> => {
      await page.goto(new URL(path, page.url()).href);
      await page.getByText(text).first().waitFor();
    };
    await loggedIn(page, await empty.client.dashboard());
    await open("/", "No agent has reported yet");
    await look("empty");
    await page.route("**/api/activity**", (route) => route.fulfill({ status: 500, json: FAILURE }));
    await open("/activity", "This could not be read");
    await look("error");
    await page.route("**/api/hooks**", () => undefined);
    await open("/hooks", "Loading hooks");
    await look("loading");
    await page.unrouteAll();
    await loggedIn(page, await full.client.dashboard());
    await open("/", "worker-239");
    await look("crowd");
    await open("/inbox", "Region 14");
    await look("options");
    const plan = page.getByRole("article", { name: "planner" });
    await plan.getByRole("button", { name: "Show all of it" }).click();
    await plan.scrollIntoViewIfNeeded();
    await plan.evaluate((element) => element.scrollIntoView());
    await look("plan");
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  });

  it("show that the daemon is away", async () => {
    const scene = await openScene();
    scene.report([[1, "agent:turn", "before", { host: "claude" }]]);
    const { page } = await openPage();
    await loggedIn(page, await scene.client.dashboard());
    await page.getByRole("row", { name: /before/ }).waitFor();
    await scene.daemon.close();
    await page.getByText("The daemon does not answer.").waitFor();
    await takePicture(page, "state-reconnecting-wide-light");
    expect(await barriers(page)).toEqual([]);
  });
});

const FAILURE = {
  error: { code: "store_failed", message: "The history can't be read.", hint: "Is the disk full?" },
};
