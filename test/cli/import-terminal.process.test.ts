import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { chosen } from "../support/long.ts";
import { needs } from "../support/needs.ts";
import { endAfterTest } from "../support/processes.ts";
import { newProject } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const TERMINAL = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));
/** The end of a question, once readline listens. */
const ASKED = "[y/N] \u001b[";

beforeAll(mustBeBuilt);

const ANSWERS: readonly (readonly [typed: readonly string[], written: boolean, left: boolean])[] = [
  [["y\r", "y\r"], true, false],
  [["y\r", "n\r"], true, true],
  [["n\r"], false, true],
];

it.each(chosen(ANSWERS.slice(1, 2), ANSWERS))(
  "on a terminal, import asks before it writes, and offers to remove the originals: %j",
  async (typed, written, left) => {
    const project = newProject();
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "./guard.sh" }] }] };
    const settings = project.write(".claude/settings.json", JSON.stringify({ hooks }));
    const steps = JSON.stringify(typed.map((answer) => [ASKED, answer]));
    needs("python3");
    const child = spawn("python3", [TERMINAL, steps, process.execPath, CLI, "import", "claude"], {
      cwd: project.cwd,
      env: { ...project.environment, TERM: "xterm", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    endAfterTest(child);
    await Promise.all([text(child.stdout), once(child, "close")]);
    expect(existsSync(join(project.cwd, ".tenterhook/hooks.yaml"))).toBe(written);
    expect(readFileSync(settings, "utf8").includes("guard.sh")).toBe(left);
  },
);

it("on a terminal, init asks which packs to use", async () => {
  const project = newProject();
  const steps = JSON.stringify([
    ["[1 2] \u001b[", "5\r"],
    ["[1 2] \u001b[", "3, no-network\r"],
  ]);
  needs("python3");
  const child = spawn("python3", [TERMINAL, steps, process.execPath, CLI, "init"], {
    cwd: project.cwd,
    env: { ...project.environment, TERM: "xterm", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  endAfterTest(child);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(output).toContain('There is no pack "5"');
  expect(output).toContain("The packs git-safety and no-network are on.");
  const file = readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8");
  expect(file).toContain("use: [git-safety, no-network]");
});
