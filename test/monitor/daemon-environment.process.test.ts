import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { newProject, stopDaemonAfterTest } from "../cli/support/project.ts";
import { eventually } from "../support/processes.ts";

/** What the shell of an agent has, and the shell of its user does not. */
const OF_AGENTS = {
  CLAUDECODE: "1",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_CODE_SESSION_ID: "other",
  CLAUDE_PROJECT_DIR: "/home/ann/other",
  QWEN_CODE_SESSION_ID: "other",
  COPILOT_CLI: "1",
  CRUSH_EVENT: "PreToolUse",
  TENTERHOOK_RUN: "p1-2.3.",
  TENTERHOOK_SESSION_RUN: "p1-2.3.",
  TENTERHOOK_SESSION_ID: "other",
};

it("a resumed agent has neither the monitor's secrets nor the variables of the agent that started the daemon", async () => {
  const project = newProject();
  const seen = join(project.folder, "seen");
  const claude = project.write("../bin/claude", `#!/bin/sh\nenv > ${seen}.new; mv ${seen}.new ${seen}\n`);
  chmodSync(claude, 0o755);
  const secrets = project.write("../config/tenterhook/monitor.env", "BOT_TOKEN=4711:AAH\n");
  chmodSync(secrets, 0o600);
  project.write("../config/tenterhook/hooks.yaml", "monitor: { on_dead: resume }\n");
  Object.assign(project.environment, {
    PATH: `${join(claude, "..")}:${process.env.PATH}`,
    // As from a unit of systemd that loads the file.
    BOT_TOKEN: "4711:AAH",
    CLAUDE_CONFIG_DIR: "/home/dev/claude",
    CLAUDE_CODE_OAUTH_TOKEN: "the user's own",
  });
  stopDaemonAfterTest(project);
  appendToSpool(
    { type: "agent:gone", agent_id: "worker", session_id: "s1", host: "claude", cwd: project.cwd },
    project.environment,
  );
  Object.assign(project.environment, OF_AGENTS);
  await project.start(["daemon", "start"]);
  // Whoever stops it is a person.
  for (const name of Object.keys(OF_AGENTS)) delete project.environment[name];
  await eventually(() => expect(existsSync(seen)).toBe(true));
  const lines = readFileSync(seen, "utf8").split("\n");
  const names = lines.map((line) => line.split("=", 1)[0]);
  expect(names.filter((name = "") => name in OF_AGENTS || name === "BOT_TOKEN")).toEqual([]);
  expect(lines).toEqual(
    expect.arrayContaining([
      "TENTERHOOK_AGENT_ID=worker",
      "CLAUDE_CONFIG_DIR=/home/dev/claude",
      "CLAUDE_CODE_OAUTH_TOKEN=the user's own",
    ]),
  );
});
