import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { newProject, stopDaemonAfterTest } from "../cli/support/project.ts";
import { eventually } from "../support/processes.ts";

/** What Node's debugger says of the processes that have opened it. */
async function debugged(): Promise<string> {
  return fetch("http://127.0.0.1:9229/json/list").then(
    (reply) => reply.text(),
    () => "",
  );
}

it("the daemon opens no debugger for whoever asks for it, and says so in its log", async () => {
  const project = newProject();
  stopDaemonAfterTest(project);
  await project.start(["daemon", "start"]);
  const { pid = 0 } = (await monitorClient(project.environment).info()) ?? {};
  process.kill(pid, "SIGUSR1");
  const log = join(project.folder, "state/tenterhook/monitor/daemon.log");
  await eventually(() =>
    expect(readFileSync(log, "utf8")).toContain("the debugger (SIGUSR1), which stays closed"),
  );
  expect(await debugged()).not.toContain("tenterhook.cjs");
});
