import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { allSpooled } from "../../../src/monitor/report/spool.ts";
import type { MonitorEvent } from "../../../src/shared/monitor/events.ts";
import type { AgentStatus, HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import type { Project } from "../../cli/support/project.ts";
import { eventually, processesWith } from "../../support/processes.ts";
import { clientProject } from "./client.ts";

/** A project whose user has the monitor on, and what he sees there. */
export interface MonitoredProject {
  readonly project: Project;
  agents(): Promise<readonly AgentStatus[]>;
  decisions(which?: "--all"): Promise<readonly HumanRequest[]>;
  /** Waits until an agent is in this state. */
  shows(agent: Partial<AgentStatus>): Promise<AgentStatus>;
  /** Answers the one open decision on the command line. */
  resolve(...words: readonly string[]): Promise<void>;
  /** What was reported, in order: the types of the events. */
  reported(): readonly string[];
}

/** What is reported of an agent that does its task in one turn and asks nothing. */
export const ONE_TURN = [
  "agent:launched",
  "agent:start",
  "agent:turn",
  "agent:stopped",
  "agent:exit",
  "agent:exit",
];

export function monitoredProject(monitor: object): MonitoredProject {
  const project = clientProject();
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  onTestFinished(() =>
    eventually(() => {
      const left = processesWith(project.folder);
      for (const pid of left) process.kill(pid, "SIGKILL");
      expect(left).toEqual([]);
    }),
  );
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.start([...args, "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  const agents = async () => (await json("status")).agents;
  const decisions = async (which?: "--all") =>
    (await json("inbox", ...(which === undefined ? [] : [which]))).decisions;
  return {
    project,
    agents,
    decisions,
    async shows(wanted) {
      let found: AgentStatus | undefined;
      await eventually(async () => {
        const [agent] = await agents();
        expect(agent).toMatchObject(wanted);
        found = agent;
      }, 90_000);
      if (found === undefined) throw new Error("It was shown.");
      return found;
    },
    async resolve(...words) {
      const [open, ...others] = await decisions();
      expect([open?.state, others]).toEqual(["open", []]);
      await json("answer", open?.id.slice(0, 10) ?? "", ...words);
    },
    reported: () => allSpooled(project.environment).map(({ type }: MonitorEvent) => type),
  };
}
