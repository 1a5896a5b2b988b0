import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { policyOf } from "../../../src/cli/commands/monitor/dashboard/policy.ts";
import { monitorClient } from "../../../src/monitor/client.ts";
import type { DaemonOptions } from "../../../src/monitor/daemon/daemon.ts";
import { newProject, type Project } from "../../cli/support/project.ts";
import { projectDaemon } from "../../monitor/support/test-daemon.ts";
import type { AtEnd } from "../../support/temporary-folder.ts";

const MINUTE = 60_000;

type Fields = Readonly<Record<string, unknown>>;

/** A project with a daemon in this process, and what agents have left there. */
export async function openScene(
  project: Project = newProject(),
  atEnd?: AtEnd,
  options: Partial<DaemonOptions> = {},
) {
  const { environment, cwd } = project;
  const now = Date.now();
  const ago = (minutes: number): string => new Date(now - minutes * MINUTE).toISOString();
  const daemon = await projectDaemon(project, { policy: policyOf(environment), ...options }, atEnd);
  const client = monitorClient(environment);
  const spool = join(project.folder, "state/tenterhook/spool");
  const journal = join(project.folder, "state/tenterhook/journal");
  for (const folder of [spool, journal]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  /** Reports events of an agent, as its hooks would have some minutes ago. */
  const report = (
    events: readonly (readonly [minutes: number, type: string, agent: string, fields?: Fields])[],
  ) =>
    appendFileSync(
      join(spool, "spool.jsonl"),
      events
        .map(([minutes, type, agent_id, fields = {}]) => {
          count += 1;
          const head = { v: 1, id: `event${count}`, time: ago(minutes), type, agent_id };
          return `${JSON.stringify({ ...head, session_id: `session-${agent_id}`, cwd, ...fields })}\n`;
        })
        .join(""),
      { mode: 0o600 },
    );
  /** Records decisions of hooks, as they would have been made some minutes ago. */
  const record = (calls: readonly Call[]) =>
    appendFileSync(join(journal, "scene.jsonl"), calls.map((call) => `${lineOf(call)}\n`).join(""), {
      mode: 0o600,
    });
  const lineOf = ({
    minutes,
    agent,
    action = "continue",
    hook = "no-force-push",
    reason,
    ms = 3,
    ...more
  }: Call) => {
    count += 1;
    const [time, event_id] = [ago(minutes), `call${count}`];
    const outcome = action === "continue" ? {} : { outcome: { action, reason } };
    const failure = more.failure === undefined ? {} : { failure: { kind: "timeout", message: more.failure } };
    const run = {
      name: hook,
      handler: "inline",
      event_id,
      started_at: time,
      duration_ms: ms,
      ...outcome,
      ...failure,
      ...(more.rule === undefined ? {} : { rule: { index: 0, source: more.rule } }),
    };
    const event = {
      hook_event_name: "PreToolUse",
      host: more.host ?? "claude",
      cwd: more.cwd ?? cwd,
      tool_name: more.tool ?? "Bash",
      tool_input: more.input ?? { command: more.command },
      tool_use_id: `use${count}`,
    };
    const decision = { action, ...(reason === undefined ? {} : { reason }), ...more.decision };
    return JSON.stringify({
      ...{
        v: 1,
        type: "decision",
        time,
        session_id: `session-${agent}`,
        event_id,
        event,
        decision,
        runs: [run],
      },
      ...(more.happened === undefined ? {} : { happened: more.happened }),
    });
  };
  return { ...project, daemon, client, report, record, ago };
}

export interface Call {
  readonly minutes: number;
  readonly agent: string;
  readonly action?: string;
  readonly hook?: string;
  readonly reason?: string;
  readonly command?: string;
  readonly tool?: string;
  readonly input?: object;
  readonly cwd?: string;
  /** The agent's program. */
  readonly host?: string;
  /** The text of the rule that decided. */
  readonly rule?: string;
  readonly ms?: number;
  readonly failure?: string;
  readonly decision?: object;
  readonly happened?: object;
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
