import type { DaemonOptions } from "../../../src/monitor/daemon/daemon.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import type { EventType } from "../../../src/shared/monitor/events.ts";
import { newProject } from "../../cli/support/project.ts";
import { projectDaemon } from "../../monitor/support/test-daemon.ts";
import { ASKER } from "../../monitor/support/waiting-hook.ts";

const TEN_MINUTES = 600_000;

/** A project with a daemon, to which agents report. */
export async function watchedAgents(options: Partial<DaemonOptions> = {}) {
  const project = newProject({ cached: true });
  const daemon = await projectDaemon(project, options);
  const report = (type: EventType, agent_id: string, fields: object = {}) =>
    appendToSpool({ type, agent_id, ...fields }, project.environment);
  const ask = (agent: string, question: unknown, fields: object = {}) =>
    report("agent:prompt", agent, {
      prompt_type: "question",
      question,
      waits_until: new Date(Date.now() + TEN_MINUTES).toISOString(),
      ...ASKER,
      ...fields,
    });
  return { project, report, ask, daemon };
}

export const WHICH_WAY = [
  {
    question: "The migration renames a column that two services read. Which way?",
    options: [
      { label: "Add a new column, copy, switch later", recommended: true },
      { label: "Rename now and deploy both together" },
      { label: "Leave it" },
    ],
  },
];
