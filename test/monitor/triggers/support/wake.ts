import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { stringify } from "yaml";
import { readOwnFile } from "../../../../src/node/files/own-file.ts";
import { newProject } from "../../../cli/support/project.ts";
import { CLI } from "../../../cli/support/run-cli.ts";
import { endAfterTest, eventually } from "../../../support/processes.ts";

export const SESSION = "f37bae16-f6a5-401a-8522-0d181c80636c";

/** A user's machine on which sessions of Claude Code run their background hook. */
export function machine() {
  const { environment, write, hook, folder: root } = newProject();
  write("../config/tenterhook/hooks.yaml", stringify({ monitor: { on_idle: "done" } }));
  const folder = join(root, "state/tenterhook/monitor/wake");
  const waiter = (variables: NodeJS.ProcessEnv = {}) => {
    const child = spawn(CLI, ["agent", "wake"], {
      env: {
        ...environment,
        CLAUDE_CODE_SESSION_ID: SESSION,
        CLAUDE_CODE_SESSION_ATTENDED: "1",
        CLAUDE_PID: String(process.pid),
        ...variables,
      },
    });
    endAfterTest(child);
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify({ session_id: SESSION, hook_event_name: "Stop" }));
    const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
      ([[code], stdout, stderr]) => ({ code, stdout, stderr }),
    );
    return { pid: child.pid ?? 0, stderr: child.stderr, ended };
  };
  const waiting = () => readOwnFile(join(folder, `${SESSION}.waiter`), 100).text;
  const waits = () => eventually(() => expect(waiting()).toBeDefined());
  const isNewest = (pid: number) => eventually(() => expect(waiting()).toBe(`${pid}\n`));
  const left = () => readdirSync(folder).filter((name) => name.startsWith(SESSION));
  return { environment, hook, folder, waiter, waits, isNewest, left };
}
