import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const payloadOf = ({ cwd }: Project, more: object): string =>
  JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd, ...more });

describe("tenterhook agent hook", () => {
  it("waits for a payload that is not there at once", async () => {
    const project = newProject();
    const child = spawn(process.execPath, [CLI, "agent", "hook", "stop", "worker"], {
      cwd: project.cwd,
      env: project.environment,
    });
    const output = text(child.stdout);
    const payload = payloadOf(project, { stop_hook_active: false });
    child.stdin.write(payload.slice(0, 20));
    // Long after it has begun to read.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.stdin.end(payload.slice(20));
    await once(child, "close");
    expect(JSON.parse(await output)).toMatchObject({ decision: "block" });
  });
});
