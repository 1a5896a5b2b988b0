import { errorMessage } from "../../../core/base/error-text.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import { foundAgents, foundUnguarded, programVersion } from "../../../install/found-agents.ts";
import { installationOf } from "../../../install/installation.ts";
import { liftsIn } from "../../../install/lifts.ts";
import { readProofs } from "../../../install/proofs.ts";
import { closing, openActivity } from "../../../journal/activity/open-activity.ts";
import { projectOf } from "../../../journal/projects.ts";
import { agentName } from "../../../monitor/agent-name.ts";
import { monitorClient } from "../../../monitor/client.ts";
import { type Away, awayNow } from "../../../monitor/report/away.ts";
import type { Invocation } from "../../command-line/command.ts";
import { sinceTime } from "../../command-line/times.ts";
import { loadHooks } from "../../configured-hooks/load-hooks.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { liftText } from "../../integrations/lift-text.ts";
import { foundHooks } from "../integrations/import/found.ts";

export interface Facts {
  readonly hooks: HookFacts;
  readonly agents: readonly AgentFacts[];
  /** Agents on this machine that nobody guards, by their titles. */
  readonly unguarded: readonly string[];
  readonly waiting: readonly { readonly agent: string; readonly since: string }[];
  readonly away?: Away;
  readonly week: { readonly calls: number; readonly stopped: number; readonly asked: number };
}

export interface HookFacts {
  readonly in_force: number;
  readonly untrusted: number;
  /** What was trusted and no longer exists, if anything: every gate refuses. */
  readonly gone?: number;
  /** By pack, and how many are written in the project's or the user's own files. */
  readonly groups: readonly { readonly name: string; readonly count: number; readonly pack: boolean }[];
  /** Why the configuration can't be read. */
  readonly problem?: string;
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
  readonly proven?: { readonly time: string; readonly obeys: boolean };
}

/** Looks around; starts nothing and changes nothing. */
export async function gatherFacts(invocation: Invocation): Promise<Facts> {
  const { environment } = invocation;
  const [hooks, agents, waiting, week] = await Promise.all([
    hookFacts(invocation),
    agentFacts(invocation),
    openQuestions(environment),
    weekOf(invocation),
  ]);
  const away = awayNow(environment);
  const unguarded = foundUnguarded(invocation).map(({ title }) => title);
  return { hooks, agents, unguarded, waiting, week, ...(away === undefined ? {} : { away }) };
}

async function hookFacts(invocation: Invocation): Promise<HookFacts> {
  try {
    const { config, hooks } = await loadHooks(invocation);
    const scopes = new Map(hooks.list().map(({ name, origin }) => [name, origin.scope]));
    const trusted = config.definitions.filter(({ enabled, untrusted }) => enabled && untrusted === undefined);
    const names = trusted.map(({ name, pack }) => ({
      name: pack ?? scopes.get(name) ?? "",
      pack: pack !== undefined,
    }));
    return {
      in_force: trusted.length,
      untrusted: config.definitions.filter(({ untrusted }) => untrusted !== undefined).length,
      ...withoutUndefined({ gone: config.trust.gone?.length }),
      groups: [...new Set(names.map(({ name }) => name))].map((name) => ({
        name,
        count: names.filter((one) => one.name === name).length,
        pack: names.some((one) => one.name === name && one.pack),
      })),
    };
  } catch (error) {
    return { in_force: 0, untrusted: 0, groups: [], problem: errorMessage(error) };
  }
}

async function agentFacts(invocation: Invocation): Promise<readonly AgentFacts[]> {
  const places = await projectPlaces(invocation);
  const proofs = readProofs(invocation.environment);
  return Promise.all(
    (await foundAgents(invocation)).map(async (integration): Promise<AgentFacts> => {
      const { adapter, table, program } = integration;
      const version = await programVersion(program, invocation);
      const proven = proofs[adapter.name];
      const installation = installationOf(integration, places);
      const installed = installation.installed.length > 0;
      const lifts = installed ? liftsIn(installation) : [];
      return {
        name: adapter.name,
        title: table.title,
        installed,
        lifts: lifts.map((lift) => liftText(lift, invocation.cwd)),
        own_hooks: foundHooks(integration, places).reduce((sum, { hooks }) => sum + hooks, 0),
        ...(version === undefined ? {} : { version }),
        ...(proven === undefined ? {} : { proven }),
      };
    }),
  );
}

/** Nothing when no monitor runs: then nobody asks it. */
async function openQuestions(environment: NodeJS.ProcessEnv): Promise<Facts["waiting"]> {
  const client = monitorClient(environment);
  if ((await client.info()) === undefined) return [];
  const decisions = await client.decisions("open").catch(() => []);
  return decisions.map((request) => ({ agent: agentName(request), since: request.created_at }));
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
