import { integrationOf } from "../../adapters/integrations.ts";
import type { Config, Problem } from "../../config.ts";
import { NOT_TRUSTED } from "../../core/base/untrusted.ts";
import { AGENT_NAMES } from "../../core/events/agent-names.ts";
import { unfoundAtLogin } from "../../install/called-program.ts";
import { isHere, programVersion } from "../../install/found-agents.ts";
import { type Installation, installationOf } from "../../install/installation.ts";
import {
  type JudgedAgent,
  type JudgedEvent,
  type Judgement,
  judge,
  PERMISSIONS,
} from "../../install/judgement.ts";
import { needsOf } from "../../install/needs.ts";
import { readProofs } from "../../install/proofs.ts";
import { placesIn } from "../../install/settings-files.ts";
import { DRIVERS } from "../../know/prove/drivers.ts";
import { type Block, paragraph } from "../command-line/screen/report.ts";
import { counted, dayName, shortPath } from "../command-line/screen/text.ts";
import { type LoadedHooks, loadInForce, type Place } from "./load-hooks.ts";

/** Whether a project is guarded, with what was looked at. */
export interface Guard {
  readonly judgement: Judgement;
  readonly config: Config;
  readonly installations: readonly Installation[];
}

/** Judges the project in a folder, with all agents that are here or call us. Records nothing. */
export async function guardOf(place: Place): Promise<Guard> {
  const loaded = await loadInForce(place);
  try {
    return await guardBy(loaded, place);
  } finally {
    await loaded.hooks.close();
  }
}

/** The same by hooks that are loaded. */
export async function guardBy({ config, failing }: Omit<LoadedHooks, "hooks">, place: Place): Promise<Guard> {
  const { cwd, environment } = place;
  const places = placesIn(config.trust.root, environment);
  const proofs = readProofs(environment);
  const integrations = await Promise.all(AGENT_NAMES.map(integrationOf));
  const installations = integrations
    .map((one) => installationOf(one, places))
    .filter(({ integration, installed }) => installed.length > 0 || isHere(integration, place));
  const known = installations.map(async (installation) => {
    const { integration, installed } = installation;
    return {
      installation,
      needs: needsOf(config, integration),
      version: await programVersion(integration, place),
      proof: proofs[integration.adapter.name],
      unfound: installed.length === 0 ? undefined : await unfoundAtLogin(integration, environment),
    };
  });
  return { judgement: judge(config, failing, await Promise.all(known), cwd), config, installations };
}

/** The last line of what changes settings. */
export async function guardBlock(place: Place, margin = ""): Promise<Block> {
  const { judgement } = await guardOf(place);
  return ["", paragraph(guardSentence(judgement, place.cwd), undefined, margin)];
}

/** One part of what is said about a project. */
export interface GuardRow {
  readonly kind: "guarded" | "refused" | "not";
  /** The title of the agent that it is about; absent when it is about all. */
  readonly agent?: string;
  /** True for an agent that calls us, whether or not it obeyed when it was proven. */
  readonly calls?: true;
  readonly about: string;
  readonly text: string;
  /** The command that mends it. */
  readonly fix?: string;
}

/** `Guarded: Claude Code (all 19 hooks, proven today). Not: Codex (not installed), 1 hook (its script is gone).` */
export function guardSentence(judgement: Judgement, cwd: string, now = Date.now()): string {
  const rows = guardRows(judgement, cwd, now);
  const titles = {
    guarded: "Guarded",
    refused: "Refused",
    not: rows[0]?.kind === "not" ? "Not guarded" : "Not",
  };
  return (["guarded", "refused", "not"] as const)
    .flatMap((kind) => {
      const own = rows.filter((row) => row.kind === kind);
      const said = [...new Set(own.map(({ about }) => about))].map((about) => {
        const texts = own.filter((row) => row.about === about && row.text !== "").map(({ text }) => text);
        return texts.length === 0 ? about : `${about} (${texts.join("; ")})`;
      });
      return said.length === 0 ? [] : [`${titles[kind]}: ${said.join(", ")}.`];
    })
    .join(" ");
}

/** What guards, what refuses and what does not guard, in this order. */
export function guardRows(judgement: Judgement, cwd: string, now: number): readonly GuardRow[] {
  const { hooks, agents } = judgement;
  const rows = [
    ...configurationRows(judgement, cwd),
    ...(hooks.length === 0 && judgement.configuration !== "broken" ? [NO_HOOKS] : hookRows(judgement)),
    ...agents.flatMap((agent) => agentRows(agent, judgement, cwd, now)),
    ...(agents.length === 0 ? [NO_AGENT] : []),
  ];
  const order = ["guarded", "refused", "not"];
  const isIdle = hooks.length > 0 && hooks.every(({ state }) => state === "off" || state === "records");
  const more = isIdle ? [NOTHING] : rows.length === 0 ? [NOT_ASKED] : [];
  return [...rows, ...more].toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

const NO_HOOKS: GuardRow = {
  kind: "not",
  about: "this project has no hooks",
  text: "",
  fix: "tenterhook init",
};
const NOTHING: GuardRow = { kind: "not", about: "all hooks here are off or only record", text: "" };
const NOT_ASKED: GuardRow = { kind: "not", about: "no hook here is for an agent that was found", text: "" };
const NO_AGENT: GuardRow = { kind: "not", about: "no agent was found here", text: "" };

function configurationRows(
  { configuration, problems, gone, changed }: Judgement,
  cwd: string,
): readonly GuardRow[] {
  const rows: GuardRow[] = [];
  const [first] = problems;
  const place = first === undefined ? "the configuration" : placeOf(first, cwd);
  if (configuration === "broken")
    rows.push({
      kind: "refused",
      about: "every call",
      text: `${place} can't be read, and nothing is known of what it said`,
      fix: "tenterhook check",
    });
  if (configuration === "last_good")
    rows.push({
      kind: "not",
      about: place,
      text: "can't be read; what it last said is in force",
      fix: "tenterhook check",
    });
  if (gone.length > 0)
    rows.push({
      kind: "refused",
      about: "every call",
      text: `${gone.join(", ")} ${gone.length === 1 ? "was" : "were"} trusted and ${gone.length === 1 ? "is" : "are"} no longer in the files`,
      fix: "tenterhook trust",
    });
  if (changed.length > 0)
    rows.push({
      kind: "refused",
      about: "every call",
      text: `${changed.map((file) => shortPath(file, cwd)).join(", ")} changed since you trusted ${changed.length === 1 ? "it" : "them"}`,
      fix: "tenterhook trust",
    });
  return rows;
}

function placeOf({ file, line }: Problem, cwd: string): string {
  return `${shortPath(file, cwd)}${line === undefined ? "" : `:${line}`}`;
}

/** The hooks that do not decide, by what keeps them from it. */
function hookRows(judgement: Judgement): readonly GuardRow[] {
  const { hooks, agents, gone, changed } = judgement;
  // Where every call is refused until somebody has looked, those that wait for the same say nothing more.
  const isClosed = gone.length + changed.length > 0;
  const gated = new Set(
    agents.flatMap(({ events }) => events.flatMap((one) => (one.gate && one.runnable ? one.hooks : []))),
  );
  return KEPT.flatMap(({ state, one, many, fix }): readonly GuardRow[] => {
    const kept = hooks.filter((hook) => hook.state === state);
    const { length } = kept;
    if (length === 0 || (isClosed && state === "untrusted")) return [];
    const refusing = kept.filter(({ name, refuses }) => refuses === true && gated.has(name)).length;
    const judges =
      length === 1
        ? "it judges"
        : refusing === length
          ? "they judge"
          : `${refusing} of them ${refusing === 1 ? "judges" : "judge"}`;
    return [
      {
        kind: refusing > 0 ? "refused" : "not",
        about: counted(length, "hook"),
        text: `${length === 1 ? one : many}${refusing > 0 ? `, so calls that ${judges} are refused` : ""}`,
        fix,
      },
    ];
  });
}

const KEPT = [
  { state: "untrusted", one: NOT_TRUSTED, many: NOT_TRUSTED, fix: "tenterhook trust" },
  {
    state: "script_gone",
    one: "its script is gone",
    many: "their scripts are gone",
    fix: "tenterhook check",
  },
  { state: "fails", one: "it can't start", many: "they can't start", fix: "tenterhook check" },
] as const;

function agentRows(agent: JudgedAgent, { hooks }: Judgement, cwd: string, now: number): readonly GuardRow[] {
  const { name, title, events, decides, installed } = agent;
  const not = (text: string, fix?: string): GuardRow => ({
    kind: "not",
    agent: title,
    about: title,
    text,
    fix,
  });
  if (!installed) return [not("not installed", `tenterhook install ${name}`)];
  const meant = hooks.filter(({ state }) => state !== "off" && state !== "records");
  const open = events.filter(({ runnable, hooks: those }) => !runnable && those.length > 0);
  const rows = obstacleRows(open, decides.length === 0 ? title : undefined, title, cwd);
  if (decides.length === 0) return rows;
  const all = decides.length === meant.length;
  const number =
    decides.includes(PERMISSIONS.name) && hooks.includes(PERMISSIONS)
      ? PERMISSIONS.name
      : all && decides.length > 1
        ? `all ${counted(decides.length, "hook")}`
        : all
          ? "1 hook"
          : `${decides.length} of ${counted(meant.length, "hook")}`;
  const { text, fix } = proofOf(agent, now);
  const guarded: GuardRow = {
    kind: agent.proven?.obeys === false ? "not" : "guarded",
    agent: title,
    calls: true,
    about: title,
    text: [number, ...(text === "" ? [] : [text])].join(", "),
    fix,
  };
  return [guarded, ...rows];
}

/** What keeps an agent from asking, one row for each way out. */
function obstacleRows(
  open: readonly JudgedEvent[],
  whole: string | undefined,
  title: string,
  cwd: string,
): readonly GuardRow[] {
  const obstacles = [...new Set(open.map(({ why }) => why))];
  return obstacles.map((why = "") => {
    const events = open.filter((event) => event.why === why);
    const names = new Set(events.flatMap(({ hooks }) => hooks));
    const [{ fix, where } = {}] = events;
    const isPart = whole === undefined || (obstacles.length > 1 && events.every(({ wired }) => !wired));
    const natives = isPart ? ` for ${events.map(({ event }) => event).join(", ")}` : "";
    const place = where === undefined ? "" : `: ${shortPath(where, cwd)}`;
    const about = whole ?? `${counted(names.size, "hook")} in ${title}`;
    return { kind: "not", agent: title, about, text: `it ${why}${natives}${place}`, fix };
  });
}

function proofOf(
  { name, proven, outdated, version }: JudgedAgent,
  now: number,
): { text: string; fix?: string } {
  if (!Object.hasOwn(DRIVERS, name)) return { text: "" };
  const fix = `tenterhook prove ${name}`;
  if (outdated === true) return { text: `${version ?? "this version"} not proven`, fix };
  if (proven === undefined) return { text: "never proven", fix };
  const day = dayName(proven.time, now).toLowerCase();
  return proven.obeys
    ? { text: `proven ${day}` }
    : { text: `it did not obey when it was proven ${day}`, fix };
}
