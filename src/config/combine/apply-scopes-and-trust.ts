import { withoutUndefined } from "../../core/base/json.ts";
import { TRUST_WAY_OUT } from "../../core/base/untrusted.ts";
import type { DefinitionSite, ForbiddingRules } from "../../core/contracts/definition-site.ts";
import type { Config, ConfigDefinition, ConfigTrust } from "../config.ts";
import { vanishedInstallations } from "../find/installations.ts";
import {
  type Layer,
  type LayerSections,
  layersOf,
  type Placed,
  type ReadConfig,
  type Sections,
} from "../find/unit.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { ConfigError, inOrder, type Place, type Problem, type Warning } from "../parse/problem.ts";
import type { SectionName } from "../schema/sections.ts";
import { changedGuards, goneGuards } from "../trust/gone.ts";
import { filesOfDefinition } from "../trust/named-files.ts";
import { readTrust, type TrustRecord, trustFolder } from "../trust/store.ts";
import type { Trustables } from "../trust/trustable.ts";
import { trustablesOf } from "../trust/trustables.ts";
import { onlyGone, whyNot } from "../trust/verdict.ts";
import { mergeDefinitions, mergeLimits } from "./merge.ts";
import { mergeSettings, type Settings } from "./merge-settings.ts";
import { SECTION_ROWS } from "./rows.ts";
import { type Protected, selfProtection } from "./self-protection.ts";

/** True when something may take effect; otherwise the reason is recorded. */
type Counts = (name: string, place: Warning, ids: readonly string[]) => boolean;

/**
 * What the files come to: trust decides what of the project counts, the order of scopes decides the rest. Looks at every
 * script that would run and at what is trusted now, so that what was read earlier can be judged again.
 *
 * @throws ConfigError when two hooks want the same name.
 */
export function effectiveConfig(
  read: ReadConfig,
  environment: NodeJS.ProcessEnv | undefined,
  inputs: Inputs,
  whyUntrusted = whyNot,
): Config {
  const trustables = trustablesOf(read, inputs);
  const records = recordsOf(read, environment, inputs);
  const why = whyUntrusted(trustables, records);
  const problems: Problem[] = [];
  const warnings: Warning[] = [...read.units.flatMap((unit) => unit.warnings), ...read.warnings];
  const untrusted: ConfigTrust["untrusted"][number][] = [];
  const damage = [...records].flatMap(([root, { problem }]) =>
    problem === undefined ? [] : [{ root, problem }],
  );
  for (const { root, problem } of damage)
    warnings.push({ file: trustFolder(root, environment), message: problem });
  const refusal = (name: string, { file, line }: Partial<Place>, ids: readonly string[]) => {
    const reason = why(ids);
    if (reason !== undefined && file !== undefined)
      untrusted.push({ name, file, ...(line === undefined ? {} : { line }), reason });
    return reason;
  };
  const counts: Counts = (name, { file, line, column }, ids) => {
    const at = { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
    const reason = refusal(name, at, ids);
    if (reason !== undefined)
      warnings.push({ ...at, message: `${name} is not in force: ${reason}. ${TRUST_WAY_OUT}` });
    return reason === undefined;
  };

  const layers = layersOf(read.units).map((layer) => trustedPart(layer, trustables, counts, inputs));
  const { settings, of } = mergeSettings(layers, warnings);
  const definitions = mergeDefinitions(
    layers,
    (layer, entry) => {
      const ids = trustables.ofEntry(layer, entry);
      const reason = refusal(entry.definition.name, entry.place, ids);
      const goneFiles = reason === undefined ? [] : onlyGone(trustables, records, ids);
      if (reason !== undefined)
        return { untrusted: reason, ...(goneFiles.length === 0 ? {} : { gone_files: goneFiles }) };
      const run = ids.flatMap((id) => trustables.all.get(id) ?? []).filter(({ kind }) => kind === "program");
      const files = run.map(({ file }) => ({ path: file, value: inputs.see("file", file).value }));
      return files.length === 0 ? {} : { files };
    },
    problems,
    warnings,
  );
  const limits = mergeLimits(layers, warnings);
  if (problems.length > 0) throw new ConfigError(inOrder(problems));
  const timeout = layers.flatMap(({ timeouts }) => timeouts).at(-1)?.value;
  const agent = trustedAgent(read, trustables, counts);
  const { deny = [], ask = [] } = settings.permissions;
  const forbids = deny.length + ask.length === 0 ? undefined : { deny, ask };
  const projects = [...new Set([read.root, ...rootsOfProjects(read)])];
  const vanished = vanishedInstallations(projects, environment, inputs);
  const gone = goneGuards(trustables, records).filter(({ root }) => read.fallen?.includes(root) !== true);
  const changed = changedGuards(trustables, records).map(({ file }) => file);
  const isTrusted = untrusted.length === 0 && gone.length === 0;
  const state = !isTrusted ? "untrusted" : trustables.all.size === 0 ? "nothing" : "trusted";
  return {
    files: layers.flatMap(({ files }) => files.map(({ value: _, ...source }) => source)),
    definitions,
    guards: guardsOf(definitions, settings, {
      files: [...layers.flatMap(({ files }) => files.map(({ file }) => file)), ...filesRunBy(layers, inputs)],
      folders: layers.flatMap((layer) => layer.folders),
      projects,
      environment,
    }),
    ...(timeout === undefined ? {} : { timeout }),
    limits,
    settings,
    sites: {
      managed: siteOf(of.managed, forbids),
      user: siteOf(of.user, forbids),
      project: siteOf(of.project, forbids),
      local: siteOf(of.local, forbids),
    },
    trust: {
      root: trustables.root,
      state,
      untrusted,
      ...(gone.length === 0 ? {} : { gone: gone.map(({ name, file }) => ({ name, file })) }),
      ...(changed.length === 0 ? {} : { changed }),
      ...(damage[0] === undefined ? {} : { problem: damage[0].problem }),
    },
    ...(agent === undefined ? {} : { agent_hooks: agent }),
    ...(vanished.length === 0 ? {} : { vanished }),
    warnings: inOrder(warnings),
  };
}

/** Where nothing is in force there is nothing to protect. The monitor's answers are the user's: no agent gives them. */
function guardsOf(
  definitions: readonly ConfigDefinition[],
  { self_protection: { enabled = true }, permissions, monitor }: Settings,
  what: Protected,
): Config["guards"] {
  const inForce = definitions.length > 0 || [permissions, monitor].some((one) => Object.keys(one).length > 0);
  return inForce && enabled ? [selfProtection(what)] : [];
}

function filesRunBy(layers: readonly Layer[], inputs: Inputs): readonly string[] {
  return layers.flatMap(({ entries }) =>
    entries.flatMap(({ definition, root, pack }) =>
      pack === undefined ? filesOfDefinition(definition, { root, inputs }) : [],
    ),
  );
}

function rootsOfProjects({ units }: ReadConfig): readonly string[] {
  return units.flatMap(({ kind, root }) => (kind === "project" ? root : []));
}

function recordsOf(
  read: ReadConfig,
  environment: NodeJS.ProcessEnv | undefined,
  inputs: Inputs,
): ReadonlyMap<string, TrustRecord> {
  // Also of folders without a project: what was trusted there may be gone. The files of a last good configuration count too.
  const roots = new Set([...read.folders, ...rootsOfProjects(read), read.cwd]);
  return new Map(
    [...roots].map((root) => {
      inputs.see("folder", trustFolder(root, environment));
      const record = readTrust(root, environment);
      if (record.file !== undefined) inputs.see("file", record.file);
      return [root, record];
    }),
  );
}

/** A layer without what its untrusted keys permit. Untrusted hooks stay: they fail instead of disappearing. */
function trustedPart(layer: Layer, trustables: Trustables, counts: Counts, inputs: Inputs): Layer {
  const whole = <Item extends Placed<unknown>>(items: readonly Item[], key: string): Item[] => {
    const files = [...new Set(items.map(({ place }) => place.file))];
    const trusted = files.filter((file) => {
      const place = items.find((item) => item.place.file === file)?.place ?? { file };
      return counts(key, { ...place, message: "" }, trustables.ofFile(layer, file));
    });
    return items.filter(({ place }) => trusted.includes(place.file));
  };
  return {
    ...layer,
    disabled: whole(
      layer.disabled.filter(
        ({ until }) => until === undefined || inputs.see("time", until).value === "ahead",
      ),
      "hooks.disabled",
    ),
    limits: whole(layer.limits, "hooks.limits"),
    timeouts: whole(layer.timeouts, "hooks.timeout"),
    sections: layer.sections.map((sections) => trustedSections(layer, sections, trustables, counts)),
  };
}

function trustedSections(
  layer: Layer,
  sections: LayerSections,
  trustables: Trustables,
  counts: Counts,
): LayerSections {
  const { source, places } = sections;
  const value: { -readonly [Name in SectionName]?: Sections[Name] } = { ...sections.value };
  const restrict = <Name extends SectionName>(name: Name): void => {
    const given = sections.value[name];
    if (given === undefined) return;
    const place = { file: source.file, ...places[name], message: "" };
    if (counts(name, place, trustables.ofSection(layer, sections, name))) return;
    const rest = SECTION_ROWS[name].untrusted?.(given);
    if (rest === undefined) delete value[name];
    else value[name] = rest;
  };
  for (const name of SECTION_NAMES) restrict(name);
  return { ...sections, value };
}

const SECTION_NAMES = Object.keys(SECTION_ROWS).filter((name): name is SectionName =>
  Object.hasOwn(SECTION_ROWS, name),
);

function trustedAgent({ agent }: ReadConfig, trustables: Trustables, counts: Counts): Config["agent_hooks"] {
  if (agent === undefined) return undefined;
  const { file, hooks } = agent;
  const trusted = (name: string): boolean =>
    counts(name, { file, message: "" }, trustables.ofAgentHook(name));
  const { turn_start: start, turn_end: end } = hooks;
  return {
    file,
    hooks: {
      ...(start !== undefined && trusted("turn_start") ? { turn_start: start } : {}),
      ...(end !== undefined && trusted("turn_end") ? { turn_end: end } : {}),
    },
  };
}

function siteOf(
  { models, mcp_servers, sandbox }: Settings,
  forbids: ForbiddingRules | undefined,
): Omit<DefinitionSite, "root"> {
  const { judge, judge_cache_seconds: seconds, judge_budget: budget } = models;
  const judging = withoutUndefined({ model: judge, cache_seconds: seconds, budget });
  return {
    ...(Object.keys(judging).length === 0 ? {} : { judge: judging }),
    ...(Object.keys(mcp_servers).length === 0 ? {} : { mcp_servers }),
    ...withoutUndefined({ sandbox: sandbox.mode, forbids }),
  };
}
