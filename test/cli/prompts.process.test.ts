import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { eventually } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const COLOUR = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Blue" }, { label: "Red" }],
};
const QUESTION = {
  hook_event_name: "PermissionRequest",
  tool_name: "AskUserQuestion",
  tool_input: { questions: [COLOUR] },
};
function spool({ folder }: Project): readonly Readonly<Record<string, unknown>>[] {
  const file = join(folder, "state/tenterhook/spool/spool.jsonl");
  if (!existsSync(file)) return [];
  // A line that is being written does not count.
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** A user's own configuration: only he can have questions answered. */
function userConfig({ write }: Project, config: object): void {
  write("../config/tenterhook/hooks.yaml", stringify(config));
}

const waiting = (project: Project, count = 1) => eventually(() => expect(spool(project).length).toBe(count));

describe("on_prompt: answer", () => {
  const HOLD = { monitor: { on_prompt: { action: "answer", wait: "10m" } } };

  it("a held prompt ends with the agent", async () => {
    const project = newProject();
    userConfig(project, HOLD);
    const { cwd, environment } = project;
    const child = spawn(process.execPath, [CLI, "hook"], { cwd, env: environment });
    child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...QUESTION }));
    await waiting(project);
    child.kill("SIGTERM");
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect([output, code]).toEqual(["", 0]);
    const [asked, ended] = spool(project);
    expect(ended).toMatchObject({
      type: "agent:interrupted",
      prompt: asked?.id,
      by: "Interrupted in the terminal.",
    });
  });
});
