import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { refusedLine } from "../../src/cli/commands/start/set-up.ts";
import { machineWith } from "../install/support.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { type Project, shellCall } from "./support/project.ts";

beforeAll(mustBeBuilt);

const STOP_HOOK = { hooks: [{ type: "command", command: "true" }] };
const PROMPT_HOOK = { hooks: [{ type: "prompt", prompt: "Is it done?" }] };

function withHooks(hooks: object): Project {
  const project = machineWith({ claude: "2.1.327" });
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  return project;
}

async function setUp(project: Project, ...more: readonly string[]) {
  const { code, stdout, stderr } = await project.run(["--yes", ...more]);
  return { code, said: stdout.replaceAll(/\s+/g, " "), stderr };
}

describe("hooks that come along", () => {
  it("leave the configuration that was just written trusted", async () => {
    const project = withHooks({ Stop: [STOP_HOOK] });
    const { said } = await setUp(project, "--project", "--import");
    expect((await project.hook(shellCall("ls"))).stdout).not.toContain("deny");
    expect((await project.hook(shellCall("rm -rf ~"))).stdout).toContain("deny");
    expect(said).toContain("✓ your hooks 1 moved from your agents' settings to hooks.yaml");
    expect(said).not.toContain("tenterhook trust");
  });

  it("do not make an agent seem guarded while one of their programs is not trusted", async () => {
    const project = withHooks({
      PreToolUse: [{ hooks: [{ type: "command", command: "./guard.sh" }] }],
    });
    project.write("guard.sh", "#!/bin/sh\nexit 0\n");
    const { said } = await setUp(project, "--project", "--import");
    expect(said).toContain(
      "✗ 1 hook not trusted yet, so calls that it judges are refused: tenterhook trust ! Claude Code 14 of 15 hooks",
    );
  });

  it("are counted when they are gone from the settings, and those that stay are named", async () => {
    const project = withHooks({ Stop: [STOP_HOOK, PROMPT_HOOK] });
    const { said } = await setUp(project, "--project", "--import");
    expect(said).toContain("✓ your hooks 1 moved from your agents' settings to hooks.yaml");
    expect(said).toContain("1 hook stayed in its settings: tenterhook import claude");
    expect(readFileSync(join(project.cwd, ".claude/settings.json"), "utf8")).toContain("Is it done?");
  });
});

describe("an agent whose settings are broken", () => {
  it("keeps no other from being connected, and is connected by a second set-up", async () => {
    const project = machineWith({ claude: "2.1.327", gemini: "0.61.0" });
    project.write("../home/.gemini/settings.json", "{ not json");
    const first = await setUp(project);
    expect(first).toMatchObject({ code: 1, said: expect.stringMatching(/✗ Gemini CLI .*settings\.json/) });
    expect(readFileSync(join(project.folder, "home/.claude/settings.json"), "utf8")).toContain("tenterhook");

    const configuration = readFileSync(join(project.folder, "config/tenterhook/hooks.yaml"), "utf8");
    project.write("../home/.gemini/settings.json", "{}");
    project.write("../home/.gemini/trustedFolders.json", JSON.stringify({ [project.cwd]: "TRUST_FOLDER" }));
    const second = await setUp(project);
    expect(second.said).toContain("✓ hooks.yaml is there already");
    expect(second.said).toMatch(/Gemini CLI (?:all|\d+ of)/);
    expect(readFileSync(join(project.folder, "config/tenterhook/hooks.yaml"), "utf8")).toBe(configuration);
    expect(readFileSync(join(project.folder, "home/.gemini/settings.json"), "utf8")).toContain("tenterhook");
  });
});

it("hooks that nobody has trusted are looked at before anything is set up", async () => {
  const project = machineWith({ claude: "2.1.327" });
  project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell] }\n");
  expect(await setUp(project, "--project")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("tenterhook trust"),
  });
  expect(existsSync(join(project.cwd, ".claude"))).toBe(false);
});

it("a machine without an agent is not set up", async () => {
  expect(await setUp(machineWith({}))).toMatchObject({
    code: 1,
    said: expect.stringContaining("! project no agent was found here"),
  });
});

it.each(["--project", "--import"])("%s without --yes is a usage error", async (option) => {
  const { code, stderr } = await machineWith({}).run([option]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`tenterhook --yes ${option}`),
  });
});

describe("the call that shows a refusal", () => {
  it("has a target that is not there", () => {
    const [first, second] = [refusedLine(), refusedLine()];
    expect(first).toMatch(/^rm -rf \/usr\/lib\/canary-[0-9a-f]{8}$/);
    expect(first).not.toBe(second);
  });

  it("is left out when the target exists", () => {
    expect(refusedLine(() => true)).toBeUndefined();
  });
});

it("the next commands start with npx where no tenterhook is on the PATH", async () => {
  const project = machineWith({});
  expect((await setUp(project)).said).not.toContain("npx");
  rmSync(join(project.folder, "bin/tenterhook"));
  const { said } = await setUp(project);
  expect(said).toContain(" npx tenterhook what guards this project");
  expect(said).toContain(" npx tenterhook uninstall --everything");
});
