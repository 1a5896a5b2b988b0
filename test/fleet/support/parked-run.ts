import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { monitorClient } from "../../../src/monitor/client.ts";
import type { HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import { stopDaemonAfterTest } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import type { PostgresServer } from "../../support/postgres.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import { appendLine, newFleet } from "./fleet.ts";

/** A fleet whose worker's user has the monitor on, with a run that waits for a permission. */
export async function parkedRun(server: PostgresServer, start: "start" | "serve" = "start") {
  const fleet = await newFleet(server, { config: { monitor: { on_prompt: "escalate" } } });
  const { environment, project, submit, script, startWorker, until } = fleet;
  const client = monitorClient(environment);
  let served = "";
  if (start === "serve") {
    const args = [CLI, "daemon", "serve", "--listen", "127.0.0.1:0", "--tls-proxy", "--json"];
    const child: ChildProcess = spawn(process.execPath, args, { cwd: project.cwd, env: environment });
    endAfterTest(child);
    child.stdout?.on("data", (part) => {
      served += String(part);
    });
    await eventually(() => JSON.parse(served));
  } else stopDaemonAfterTest({ ...project, environment });
  const run = await submit({
    task: "Write down that it was asked.",
    model: script("s", [appendLine("asked"), { text: "Over." }]),
  });
  const worker = await startWorker();
  await until("waiting");
  let question: HumanRequest | undefined;
  await eventually(async () => {
    [question] = await client.decisions("open");
    expect(question).toMatchObject({ agent_id: run, source: "permission", suspended: true });
  });
  return {
    ...fleet,
    client,
    run,
    worker,
    question: question?.id ?? "",
    served: () => JSON.parse(served).url,
    lines: () => {
      const file = join(project.cwd, "lines.txt");
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
  };
}
