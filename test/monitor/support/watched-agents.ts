import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { run as carryOut } from "../../../src/cli/commands/monitor/actions/carry-out.ts";
import { monitorClient } from "../../../src/monitor/client.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import type { EventType } from "../../../src/shared/monitor/events.ts";
import type { AgentStatus } from "../../../src/shared/monitor/monitor.ts";
import { newProject } from "../../cli/support/project.ts";
import { eventually } from "../../support/processes.ts";
import { projectDaemon } from "./test-daemon.ts";

/**
 * Stands in for an agent: notes the arguments, the variables and the prompt that it was started with, in one go, since
 * several may do so at once.
 */
const AGENT = `#!/bin/sh
notes=$(echo "\${0##*/} $*"; echo "$TENTERHOOK_AGENT_ID"; cat; echo; echo .)
printf %s "\${notes%.}" >> "$TENTERHOOK_TEST_NOTES"
echo "I go on."
`;
/** The same agent, which runs until its notes are removed. */
export const RUNNING_AGENT = `${AGENT}while [ -e "$TENTERHOOK_TEST_NOTES" ]; do sleep 0.2; done\n`;

/** A user with a monitor, and with programs in place of agents. */
export function watched(monitor: object, programs: readonly string[] = ["claude"], agent = AGENT) {
  const project = newProject();
  const { folder, environment } = project;
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of programs) {
    writeFileSync(join(bin, name), agent);
    chmodSync(join(bin, name), 0o755);
  }
  const notes = join(folder, "notes");
  Object.assign(environment, { PATH: `${bin}:${environment.PATH}`, TENTERHOOK_TEST_NOTES: notes });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  const client = monitorClient(environment);
  const status = async (id: string): Promise<AgentStatus | undefined> =>
    (await client.agents()).find(({ agent_id }) => agent_id === id);
  return {
    ...project,
    client,
    status,
    notes: () => (existsSync(notes) ? readFileSync(notes, "utf8") : ""),
    /** Starts a daemon that carries out its actions in processes of their own. */
    startWithProcesses: () => projectDaemon(project),
    /** Starts a daemon that carries out its actions in this process: a fraction of the work. */
    start: () => {
      const actions = new AbortController();
      const underWay: Promise<unknown>[] = [];
      onTestFinished(async () => {
        actions.abort();
        await Promise.all(underWay);
      });
      return projectDaemon(project, {
        carryOut: (id) => {
          underWay.push(carryOut({ names: [id], environment, signal: actions.signal }));
        },
      });
    },
    report: (type: EventType, fields: object = {}) =>
      appendToSpool(
        { agent_id: "worker", session_id: "s1", host: "claude", cwd: project.cwd, ...fields, type },
        environment,
      ),
  };
}

export const openDecision = async ({ client }: Pick<ReturnType<typeof watched>, "client">) => {
  let found: Awaited<ReturnType<typeof client.decisions>>[number] | undefined;
  await eventually(async () => {
    [found] = await client.decisions("open");
    expect(found).toBeDefined();
  });
  if (found === undefined) throw new Error("no decision");
  return found;
};
