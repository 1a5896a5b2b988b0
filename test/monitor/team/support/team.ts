import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { monitorClient } from "../../../../src/monitor/client.ts";
import type { DaemonOptions } from "../../../../src/monitor/daemon/daemon.ts";
import { appendToSpool, type SpoolEvent } from "../../../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../../../src/monitor/store/sqlite-monitor.ts";
import { teamClient } from "../../../../src/monitor/team/client.ts";
import { type Membership, machineId, writeMembership } from "../../../../src/monitor/team/membership.ts";
import type { NewToken } from "../../../../src/monitor/team/tokens.ts";
import type { EventType } from "../../../../src/shared/monitor/events.ts";
import { type AtEnd, temporaryFolder } from "../../../support/temporary-folder.ts";
import { storedEvents } from "../../support/events.ts";
import { testDaemon } from "../../support/test-daemon.ts";
import { ASKER } from "../../support/waiting-hook.ts";

const NEVER = new AbortController().signal;
const LOOK_MILLISECONDS = 50;

/** The monitor of a team, in this process. */
export async function teamMonitor(options: Partial<DaemonOptions> = {}, atEnd: AtEnd = onTestFinished) {
  const { token: ownToken, ...daemon } = await testDaemon(
    {
      serve: { host: "127.0.0.1", port: 0, tls: "proxy" },
      lookMilliseconds: LOOK_MILLISECONDS,
      environment: { XDG_STATE_HOME: temporaryFolder(atEnd) },
      ...options,
    },
    atEnd,
  );
  const client = monitorClient(daemon.environment);
  const url = daemon.info.serves ?? "";
  return {
    ...daemon,
    url,
    client,
    /** The key to its own user's address. */
    ownToken,
    token: async (wanted: NewToken) => (await client.createToken(wanted)).token,
  };
}

/** A machine with a daemon of its own, in this process; `join` has it report to a team's monitor. */
export async function machine(options: Partial<DaemonOptions> = {}) {
  const { environment = { XDG_STATE_HOME: temporaryFolder() } } = options;
  const { close } = await testDaemon({ lookMilliseconds: LOOK_MILLISECONDS, ...options, environment });
  return {
    environment,
    close,
    client: monitorClient(environment),
    /** Reports an event of an agent, as its hooks do. */
    report: (type: EventType, fields: Partial<SpoolEvent> = {}) =>
      appendToSpool({ agent_id: "worker", session_id: "s1", host: "claude", ...fields, type }, environment),
    async join(url: string, token: string, name: string, ca?: string): Promise<Membership> {
      const id = await machineId(environment);
      const known = { url, token, id, ...(ca === undefined ? {} : { ca }) };
      const client = teamClient(known);
      onTestFinished(() => client.close());
      const joined = { ...known, machine: await client.join({ name, id }, NEVER) };
      const membership = { ...joined, joined_at: new Date().toISOString() };
      await writeMembership(membership, environment);
      return membership;
    },
  };
}

/** A permission that a hook waits for. */
export function permission(fields: Readonly<Record<string, unknown>> = {}) {
  const waits_until = new Date(Date.now() + 600_000).toISOString();
  const question = { tool_name: "Bash", tool_input: { command: "make" } };
  return { prompt_type: "permission", question, waits_until, call_key: randomUUID(), ...ASKER, ...fields };
}

/** The ids of the events that a monitor has stored. */
export async function eventsIn({ XDG_STATE_HOME }: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const store = await sqliteMonitor(`${XDG_STATE_HOME}/tenterhook/monitor/monitor.sqlite`);
  const ids: string[] = [];
  for (const { id } of await storedEvents(store)) ids.push(id);
  await store.close();
  return ids;
}
