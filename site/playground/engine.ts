import type { Adapter, NativeReply } from "../../src/adapters/adapter.ts";
import { declareEvents } from "../../src/adapters/declare-events.ts";
import { idSequence, systemClock } from "../../src/core/base/clock.ts";
import { createHooks } from "../../src/core/create-hooks.ts";
import type { Decision } from "../../src/core/decide/decision.ts";
import type { Hooks } from "../../src/core/hooks.ts";
import { internals } from "../../src/core/internals.ts";
import type { RegexCompiler } from "../../src/core/match/tool-names.ts";
import type { WrittenDefinition } from "../../src/core/registration/hook-definition.ts";
import type { PackName } from "../../src/core/registration/plugin.ts";
import { ruleConditions } from "../../src/handlers/conditions.ts";
import { inlineHandler } from "../../src/handlers/inline.ts";
import { readyHook } from "../../src/handlers/ready-hook.ts";
import { missingParts, prepareRule } from "../../src/rules/compiled/prepared-rule.ts";
import { type RuleFit, ruleFit } from "../../src/rules/compiled/rule-holds.ts";
import { type RuleEvent, type RulePorts, subjectOf } from "../../src/rules/fields/judged-event.ts";
import { type Reading, readCall } from "../../src/rules/fields/reading.ts";
import { callAnalysis } from "../../src/rules/fields/shell-analysis.ts";
import { printRule } from "../../src/rules/language/print.ts";
import {
  compileInlineRules,
  type InlineDefinition,
  type InlineRules,
  openInlineRules,
  readInlineRules,
} from "../../src/rules/rules.ts";
import type { ShellCommand } from "../../src/rules/shell/analysis.ts";
import { pathsOf } from "../../src/shared/system/file-view.ts";
import { OWN_RULES, readConfiguration, unknownPack, wrong } from "./configuration.ts";
import {
  type Answers,
  type Asked,
  type Described,
  describedAnswers,
  type Machine,
  machineOf,
} from "./machine.ts";

export { describedAnswers };

/** What the page asks about. */
export interface Given {
  /** A shell command, or a payload of an agent as JSON. */
  readonly call: string;
  /** Rules, one a line, or a whole `hooks.yaml`. */
  readonly rules: string;
  readonly packs: readonly PackName[];
}

/** A rule of the reader's own, and whether it is about the call. */
export interface OwnRule {
  readonly rule: string;
  readonly line: number | undefined;
  readonly fit: RuleFit;
}

/** A hook that had something to say. */
export interface Spoken {
  readonly hook: string;
  readonly pack: string | undefined;
  readonly action: string;
  readonly reason: string | undefined;
  /** The name of a pack's rule, which has a page of its own; else the rule as it was written. */
  readonly rule: string | undefined;
}

export interface Judged {
  /** The agent that sent the payload; none for a command. */
  readonly agent: string | undefined;
  readonly event: string;
  readonly tool: string | undefined;
  readonly commands: readonly ShellCommand[];
  readonly reading: Reading | undefined;
  readonly decision: Pick<Decision, "action" | "reason">;
  readonly spoken: readonly Spoken[];
  readonly own_rules: readonly OwnRule[];
  /** How many hooks were asked. */
  readonly hooks: number;
  readonly left_out: readonly string[];
  readonly asked: readonly Asked[];
  /** What the agent is told. */
  readonly reply: Pick<NativeReply, "stdout" | "stderr" | "exit_code" | "losses"> | undefined;
}

export type Answer = { readonly judged: Judged } | { readonly problem: string };

type Judge = (given: Given) => Promise<Judged>;

/** The machine of the last call, with its hooks: most questions change only the call. */
let last: { readonly key: string; readonly judge: Judge } | undefined;

/** Judges a call on the machine that the page describes. Never throws: what is wrong is told. */
export async function judge(given: Given, described: Described): Promise<Answer> {
  try {
    const key = JSON.stringify(described);
    if (last?.key !== key) last = { key, judge: judgesOn(describedAnswers(described), described.folder) };
    return { judged: await last.judge(given) };
  } catch (error) {
    return { problem: wrong(error) };
  }
}

/** Judges calls by the answers of a file system. It throws a TenterhookError for rules or a payload that can't be read. */
export function judgesOn(answers: Answers, folder: string): Judge {
  const machine = machineOf(answers);
  let last: { readonly key: string; readonly made: HookSet } | undefined;
  return async (given) => {
    const { event, adapter } = await readCallText(given.call, folder);
    const name = event.hook_event_name;
    const key = JSON.stringify([given.rules, given.packs, name, adapter?.name]);
    const made = last?.key === key ? last.made : await hookSet(given, name, machine, folder, adapter);
    last = { key, made };
    const { hooks, definitions, packOf, left_out } = made;
    machine.asked();
    const decision = await hooks.fireUntyped(event);
    const reading = await readCall(event, machine.rules);
    const own = definitions.find((one) => one.name === OWN_RULES);
    return {
      agent: adapter?.name,
      event: name,
      tool: typeof event.tool_name === "string" ? event.tool_name : undefined,
      commands: callAnalysis(subjectOf(event, machine.rules))?.commands ?? [],
      reading,
      decision: { action: decision.action, ...(decision.reason && { reason: decision.reason }) },
      spoken: spokenIn(decision, packOf),
      own_rules: own === undefined ? [] : await fitsOf(own, event, machine.rules),
      hooks: definitions.length,
      left_out,
      asked: machine.asked(),
      reply: adapter?.encode(decision, { ...event, native: event.native }, {}, {}),
    };
  };
}

interface HookSet {
  readonly hooks: Hooks;
  readonly definitions: readonly WrittenDefinition[];
  readonly packOf: ReadonlyMap<string, string>;
  readonly left_out: readonly string[];
}

async function hookSet(
  given: Given,
  event: string,
  machine: Machine,
  folder: string,
  adapter: Adapter | undefined,
): Promise<HookSet> {
  const configuration = await readConfiguration(given.rules, event, given.packs);
  const { left_out } = configuration;
  const packs = await packsNamed(configuration.packs);
  const packOf = new Map(
    packs.flatMap(({ name, definitions }) => definitions.map((one) => [one.name, name])),
  );
  const hooks = createHooks(
    {},
    {
      clock: systemClock,
      newId: idSequence(systemClock.now()),
      paths: pathsOf(machine.files),
      regex: await regexFor(configuration.definitions),
      conditions: ruleConditions(machine.rules),
      cwd: () => folder,
    },
  );
  if (adapter !== undefined) declareEvents(hooks, [adapter]);
  const set = internals(hooks);
  // The rules of packs were checked by our tests; what the reader wrote is checked here.
  const ofPacks = packs.flatMap((pack) => pack.definitions.map(plain));
  const groups = [
    { definitions: ofPacks, rulesOf: openInlineRules },
    { definitions: configuration.definitions, rulesOf: compileInlineRules },
  ];
  for (const { definitions, rulesOf } of groups)
    for (const definition of definitions)
      set.replace([], [(await ready(definition, folder, machine.rules, rulesOf))(set)]);
  return { hooks, definitions: groups.flatMap(({ definitions }) => definitions), packOf, left_out };
}

/** How a payload begins; a group of commands begins with `{` too. */
const PAYLOAD = /^\s*\{\s*"[^"]*"\s*:/;

/** A command is a call of Bash; a payload says itself what it is. */
async function readCallText(text: string, folder: string) {
  if (!PAYLOAD.test(text))
    return {
      adapter: undefined,
      event: {
        hook_event_name: "PreToolUse",
        session_id: "playground",
        cwd: folder,
        tool_name: "Bash",
        tool_input: { command: text },
        native: undefined,
      } as const,
    };
  const { decodePayload } = await import("../../src/adapters/decode-payload.ts");
  return decodePayload(text, {}, folder);
}

async function packsNamed(names: readonly string[]) {
  if (names.length === 0) return [];
  const { PACKS } = await import("../../src/rules/packs/packs.ts");
  return names.map((name) => {
    const pack = PACKS.get(name);
    if (pack === undefined) throw unknownPack(name);
    return pack;
  });
}

/** Without what only the reference shows. */
function plain({
  rows: _,
  ...definition
}: WrittenDefinition & { readonly rows: unknown }): WrittenDefinition {
  return definition;
}

/** The engine of regular expressions, for hooks that name tools by one. */
async function regexFor(definitions: readonly WrittenDefinition[]): Promise<RegexCompiler> {
  const { RE2JS } = definitions.length === 0 ? {} : await import("re2js");
  return (source, ignoreCase) => {
    if (RE2JS === undefined) throw new Error("Regular expressions were not loaded.");
    const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => compiled.test(text);
  };
}

type RulesOf = (definition: InlineDefinition, ports: RulePorts) => InlineRules | Promise<InlineRules>;

function ready(definition: WrittenDefinition, root: string, rules: RulePorts, rulesOf: RulesOf) {
  const ports = { rules, environment: {}, payloadOf: async () => ({}) };
  return readyHook(definition, { root }, ports, async (_, settings, { events }) =>
    inlineHandler(await rulesOf({ ...settings }, rules), events),
  );
}

function spokenIn({ runs }: Decision, packOf: ReadonlyMap<string, string>): readonly Spoken[] {
  return runs.flatMap(({ name, outcome, failure, rule, would }) => {
    if (failure !== undefined)
      return [
        { hook: name, pack: packOf.get(name), action: "failed", reason: failure.message, rule: undefined },
      ];
    const said = outcome ?? would;
    if (said === undefined) return [];
    const named = / \(rule ([\w-]+)\)/.exec(said.reason ?? "")?.[1];
    const action = outcome === undefined ? `would ${said.action}` : said.rewrite ? "rewrite" : said.action;
    const reason = said.reason ?? said.context?.join("\n") ?? said.keep_going;
    return [{ hook: name, pack: packOf.get(name), action, reason, rule: named ?? rule?.source }];
  });
}

async function fitsOf(
  definition: WrittenDefinition,
  event: RuleEvent,
  ports: RulePorts,
): Promise<readonly OwnRule[]> {
  const subject = subjectOf(event, ports);
  const found: OwnRule[] = [];
  for (const [index, rule] of readInlineRules(definition).entries()) {
    const prepared = prepareRule(rule, index, ports);
    for (let missing = missingParts(prepared, subject); missing; missing = missingParts(prepared, subject))
      await missing;
    found.push({ rule: printRule(rule), line: rule.line, fit: ruleFit(prepared, subject) });
  }
  return found;
}
