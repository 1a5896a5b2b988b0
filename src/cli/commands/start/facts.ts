import type { Config } from "../../../config.ts";
import { foundUnguarded } from "../../../install/found-agents.ts";
import type { Installation } from "../../../install/installation.ts";
import type { Judgement } from "../../../install/judgement.ts";
import { liftsIn } from "../../../install/lifts.ts";
import { closing, openActivity } from "../../../journal/activity/open-activity.ts";
import { projectOf } from "../../../journal/projects.ts";
import { agentName } from "../../../monitor/agent-name.ts";
import { monitorClient } from "../../../monitor/client.ts";
import { type Away, awayNow } from "../../../monitor/report/away.ts";
import type { Invocation } from "../../command-line/command.ts";
import { sinceTime } from "../../command-line/times.ts";
import { guardOf, guardSentence } from "../../configured-hooks/guard.ts";
import { type TurnProgram, turnPrograms } from "../../configured-hooks/turn-programs.ts";
import { liftText } from "../../integrations/lift-text.ts";
import { foundHooks } from "../integrations/import/found.ts";

export interface Facts {
  /** Whether the project is guarded, and the sentence that says it. */
  readonly guard: Judgement;
  readonly sentence: string;
  readonly hooks: HookFacts;
  /** The programs of `.agent/hook.toml`, if there are some. */
  readonly turn_hooks?: readonly TurnProgram[];
  readonly agents: readonly AgentFacts[];
  /** Agents on this machine that nobody guards, by their titles. */
  readonly unguarded: readonly string[];
  readonly waiting: readonly { readonly agent: string; readonly since: string }[];
  readonly away?: Away;
  readonly week: { readonly calls: number; readonly stopped: number; readonly asked: number };
}

export interface HookFacts {
  /** Those that decide in some agent here. */
  readonly in_force: number;
  /** Those that would, if an agent asked. */
  readonly ready: number;
  /** By pack, and how many are written in the project's or the user's own files. */
  readonly groups: readonly { readonly name: string; readonly count: number; readonly pack: boolean }[];
}

export interface AgentFacts {
  readonly name: string;
  readonly title: string;
  readonly version?: string;
  readonly installed: boolean;
  /** Hooks of its settings that are in no configuration of ours. */
  readonly own_hooks: number;
  /** What could lift our hooks there, where it calls us: a sentence each. */
  readonly lifts: readonly string[];
}

/** What `tenterhook` alone shows. */
export async function gatherFacts(invocation: Invocation): Promise<Facts> {
  const { environment, cwd } = invocation;
  const [{ judgement: guard, config, installations }, waiting, week] = await Promise.all([
    guardOf(invocation),
    openQuestions(environment),
    weekOf(invocation),
  ]);
  const away = awayNow(environment);
  const programs = await turnPrograms(invocation, config);
  return {
    guard,
    ...(programs.length === 0 ? {} : { turn_hooks: programs }),
    sentence: guardSentence(guard, cwd),
    hooks: hookFacts(guard, config),
    agents: installations.map((one, at) => agentFacts(one, guard.agents[at]?.version, cwd)),
    unguarded: foundUnguarded(invocation).map(({ title }) => title),
    waiting,
    week,
    ...(away === undefined ? {} : { away }),
  };
}

function hookFacts({ hooks, agents }: Judgement, { definitions }: Config): HookFacts {
  const inForce = new Set(agents.flatMap(({ decides }) => decides));
  const ready = new Set(hooks.flatMap(({ name, state }) => (state === "in_force" ? [name] : [])));
  const groups = definitions
    .filter(({ name }) => (inForce.size === 0 ? ready : inForce).has(name))
    .map(({ pack, origin: { scope } }) => ({ name: pack ?? scope, pack: pack !== undefined }));
  return {
    in_force: inForce.size,
    ready: ready.size,
    groups: [...new Set(groups.map(({ name }) => name))].map((name) => ({
      name,
      count: groups.filter((one) => one.name === name).length,
      pack: groups.some((one) => one.name === name && one.pack),
    })),
  };
}

function agentFacts(installation: Installation, version: string | undefined, cwd: string): AgentFacts {
  const { integration, places, installed } = installation;
  const lifts = installed.length > 0 ? liftsIn(installation) : [];
  return {
    name: integration.adapter.name,
    title: integration.table.title,
    installed: installed.length > 0,
    lifts: lifts.map((lift) => liftText(lift, cwd)),
    own_hooks: foundHooks(integration, places).reduce((sum, { hooks }) => sum + hooks, 0),
    ...(version === undefined ? {} : { version }),
  };
}

/** Nothing when no monitor runs: then nobody asks it. */
async function openQuestions(environment: NodeJS.ProcessEnv): Promise<Facts["waiting"]> {
  const client = monitorClient(environment);
  if ((await client.info()) === undefined) return [];
  const decisions = await client.decisions("open").catch(() => []);
  // An agent with several questions waits once, since the first: the newest come first.
  const byAgent = new Map(
    decisions.map((one) => [one.agent_id, { agent: agentName(one), since: one.created_at }]),
  );
  return [...byAgent.values()].sort((one, other) => (one.since < other.since ? -1 : 1));
}

async function weekOf({ environment, cwd }: Invocation): Promise<Facts["week"]> {
  const { activity } = await openActivity(environment);
  const { days } = closing(activity, () =>
    activity.stats({ since: sinceTime("7d"), project: projectOf(cwd) }),
  );
  const total = (key: "decisions" | "stopped" | "asked"): number =>
    days.reduce((sum, day) => sum + day[key], 0);
  return { calls: total("decisions"), stopped: total("stopped"), asked: total("asked") };
}
