import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import type { Step } from "../support/client.ts";
import { codexAtDesk } from "../support/desks.ts";
import { monitoredProject } from "../support/monitored.ts";

const HOLDS = { on_prompt: { action: "answer", wait: "5m", hidden_wait: "8s" } };
const ESCALATED: readonly Step[] = [
  [
    [
      "exec_command",
      { cmd: "touch made", sandbox_permissions: "require_escalated", justification: "It must." },
    ],
  ],
];
const DIALOG = "Would you like to run the following command?";

describe("Codex at a desk, which asks its hooks before its user", () => {
  it("shows its own dialog soon while its user is there, and nothing is open elsewhere then", async () => {
    const { project, shows, decisions } = monitoredProject(HOLDS);
    const desk = await codexAtDesk({ project, script: ESCALATED });
    await shows({ state: "prompting", prompt_type: "permission" });
    expect(await decisions()).toMatchObject([
      { hidden: true, context: expect.stringContaining("touch made") },
    ]);
    await desk.shows(DIALOG);
    await eventually(async () => expect(await decisions()).toEqual([]));
    expect(await decisions("--all")).toMatchObject([
      { state: "dismissed", resolved: { by: "Nobody answered in time." } },
    ]);
    await shows({ state: "prompting" });
    desk.presses("Enter");
    await eventually(() => expect(existsSync(join(project.cwd, "made"))).toBe(true));
    await shows({ state: "idle" });
  });

  it("waits long for an answer from elsewhere while its user is away", async () => {
    const { project, shows, resolve, decisions } = monitoredProject({
      on_prompt: { action: "answer", wait: "5m", hidden_wait: "1s" },
    });
    await project.start(["away", "2h"]);
    const desk = await codexAtDesk({ project, script: ESCALATED });
    const { held = [] } = await shows({ state: "prompting", prompt_type: "permission" });
    expect(Date.parse(held[0]?.waits_until ?? "") - Date.now()).toBeGreaterThan(100_000);
    expect(desk.screen()).not.toContain(DIALOG);
    await resolve("allow");
    await eventually(() => expect(existsSync(join(project.cwd, "made"))).toBe(true));
    expect(await decisions("--all")).toMatchObject([
      { state: "resolved", resolved: { fate: expect.stringMatching(/^(?:given|taken)$/) } },
    ]);
  });

  it("asks nothing any more after Esc", async () => {
    const { project, shows, decisions } = monitoredProject({
      on_prompt: { action: "answer", wait: "5m", hidden_wait: "2m" },
    });
    const desk = await codexAtDesk({ project, script: ESCALATED });
    await shows({ state: "prompting", prompt_type: "permission" });
    desk.presses("Escape");
    await shows({ state: "idle" });
    await eventually(async () => expect(await decisions()).toEqual([]));
    expect(await decisions("--all")).toMatchObject([
      { state: "dismissed", resolved: { by: "Interrupted in the terminal." } },
    ]);
  });
});
