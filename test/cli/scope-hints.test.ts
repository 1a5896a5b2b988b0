import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { placesIn } from "../../src/install/settings-files.ts";
import { whyUnreached } from "../../src/know/prove/diagnose.ts";
import { DRIVERS } from "../../src/know/prove/drivers.ts";
import { newProject, type Project } from "./support/project.ts";

const GATE = { name: "gate", type: "command", command: "true", matcher: { events: ["PreToolUse"] } };

async function withCodexOfTheUser(): Promise<Project> {
  const project = newProject();
  await project.configure([GATE]);
  const { stdout } = await project.run(["install", "codex", "--user"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("tenterhook install codex --user --trust");
  return project;
}

const doctor = async (project: Project) => (await project.run(["doctor"])).stdout.replaceAll(/\s+/g, " ");

it("doctor names the scope of an entry that the agent does not trust", async () => {
  const project = await withCodexOfTheUser();
  expect(await doctor(project)).toContain("tenterhook install codex --user --trust");
});

it("doctor names the scope of an entry that has vanished", async () => {
  const project = await withCodexOfTheUser();
  writeFileSync(join(String(project.environment.HOME), ".codex/hooks.json"), "{}");
  expect(await doctor(project)).toContain(
    "tenterhook install codex --user restores it, tenterhook uninstall codex --user forgets it.",
  );
});

it("prove names the scope of an entry that the agent does not trust", async () => {
  const project = await withCodexOfTheUser();
  const { codex: driver } = DRIVERS;
  if (driver === undefined) throw new Error("There is no driver for Codex.");
  const { way_out } = whyUnreached({
    driver,
    integration: await integrationOf("codex"),
    real: placesIn(project.cwd, project.environment),
    run: { tools: [], sent: "", stderr: "", requests: 1, endless: false, records: [], made: () => false },
  });
  expect(way_out).toBe("tenterhook install codex --user --trust");
});
