import { TenterhookError } from "../../../../core/base/errors.ts";
import type { Activity } from "../../../../journal/activity/activity.ts";
import { openActivity } from "../../../../journal/activity/open-activity.ts";
import { recordLine } from "../../../../journal/record-line.ts";
import { agentNames } from "../../../../monitor/agent-name.ts";
import type { MonitorClient } from "../../../../monitor/client.ts";
import { elsewhereOf } from "../../../../monitor/decisions/elsewhere.ts";
import { receiptOf } from "../../../../monitor/decisions/receipt.ts";
import { type Choice, choiceOf, readChoice } from "../../../../monitor/decisions/resolve.ts";
import { SOURCES } from "../../../../monitor/report/sources.ts";
import type { AgentStatus, HumanRequest } from "../../../../shared/monitor/monitor.ts";
import type { Answered, Asked, TimelineEntry, TopPort } from "../../../../terminal/top/port.ts";
import { whatOf } from "../status/agent-lines.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** A session that is older has a page of its own: `tenterhook log`. */
const TIMELINE_DAYS = 7;
const MOST_ENTRIES = 500;
const REFRESH_MILLISECONDS = 200;

/**
 * The monitor for `tenterhook agents -w`; `close` ends what was opened to read history.
 *
 * @param list what is listed, as `tenterhook agents` lists it.
 */
export function monitorPort(
  client: MonitorClient,
  list: () => Promise<{ readonly agents: readonly AgentStatus[]; readonly warnings: readonly string[] }>,
  environment: NodeJS.ProcessEnv,
): TopPort & { readonly close: () => Promise<void> } {
  let history: Promise<Activity> | undefined;
  const activity = (): Promise<Activity> => {
    history ??= openActivity(environment).then((opened) => opened.activity);
    return history;
  };
  return {
    now: () => Date.now(),
    async look() {
      const [{ agents, warnings }, decisions] = await Promise.all([list(), client.decisions("open")]);
      const names = agentNames(agents);
      return {
        warnings,
        agents: agents.map((agent) => {
          // The newest first: an agent's last question is the one it waits at.
          const request = decisions.find(({ agent_id }) => agent_id === agent.agent_id);
          return {
            agent,
            name: names.get(agent.agent_id) ?? agent.agent_id,
            what: whatOf(agent) || request?.context || agent.task || "",
            ...(request === undefined ? {} : { asks: askedIn(request, agent) }),
          };
        }),
      };
    },
    async timeline({ session_id }) {
      return session_id === undefined ? [] : timelineOf(await activity(), session_id);
    },
    answer: (request, given, message) => answer(client, request, given, message),
    close: async () => (await history?.catch(() => undefined))?.close(),
  };
}

function askedIn(request: HumanRequest, agent: AgentStatus): Asked {
  const { title } = SOURCES[request.source];
  const elsewhere = elsewhereOf(request, agent);
  return {
    request,
    title,
    ...(elsewhere === undefined ? {} : { elsewhere: `${elsewhere} x takes it off this list.` }),
  };
}

async function timelineOf(activity: Activity, session: string): Promise<readonly TimelineEntry[]> {
  await activity.refresh(REFRESH_MILLISECONDS);
  const since = new Date(Date.now() - TIMELINE_DAYS * DAY_MILLISECONDS);
  const entries: TimelineEntry[] = [];
  for (const { record, project } of activity.records({ since, session, all: true })) {
    const { time, verdict, word, call, hooks, because } = recordLine({ record, project });
    const weight =
      word === "deny" || word === "end" || word === "failed"
        ? "stopped"
        : word === "ask" || word === "keep-going"
          ? "asked"
          : "plain";
    const why = [hooks, because].filter((part) => part !== "").join(": ");
    entries.push({ time, verdict: verdict === "continue" ? "·" : verdict, weight, call, why });
    if (entries.length === MOST_ENTRIES) break;
  }
  return entries.reverse();
}

async function answer(
  client: MonitorClient,
  request: HumanRequest,
  given: readonly string[],
  message: string | undefined,
): Promise<Answered> {
  const [words = ""] = given;
  const written: Choice = given.length > 1 ? { choices: given } : choiceOf(request, words);
  const choice = message === undefined ? written : { ...written, message };
  const read = words === "dismiss" ? { answer: words } : readChoice(request, choice);
  if (!("answer" in read))
    return read.wants === undefined ? { problem: read.problem } : { wants: read.wants };
  try {
    return { done: receiptOf(await client.resolve(request.id, choice)).text };
  } catch (error) {
    if (error instanceof TenterhookError) return { problem: error.message };
    throw error;
  }
}
