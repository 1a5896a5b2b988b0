import { realpathSync } from "node:fs";
import { stringList } from "../../core/base/check-options.ts";
import { eventsAsked } from "../../core/events/event-table.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import { SCOPES, USUAL_PRIORITY } from "../../core/registration/hook.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { keepRules } from "../../rules/compiled/compiled-rules.ts";
import { readInlineRules } from "../../rules/rules.ts";
import type { Config, ConfigDefinition } from "../config.ts";
import type { Places } from "../find/discover.ts";
import { questionOf } from "./cache-key.ts";
import type { Compiled } from "./compiled.ts";
import {
  type EventConfig,
  type KeptHead,
  type KeptHook,
  keptFile,
  keptMark,
  type Range,
  type WrittenHook,
} from "./kept.ts";
import { bytesOf, type KeptInput } from "./kept-inputs.ts";
import { lastGoodFile } from "./last-good.ts";

/** What of a configuration one event is decided by. */
export function eventConfig(config: Config, event: string): EventConfig {
  return { ...sharedPart(config), hooks: hooksOf(config, event).map(keptHook) };
}

/**
 * Keeps a configuration for processes that decide one event; not when something changed meanwhile.
 *
 * @throws what the file system says.
 */
export async function writeKept(places: Places, { config, inputs, kept }: Compiled): Promise<void> {
  const hot = new Part();
  const inputBytes = new Part();
  const rules = new Part();
  const keptInputs: KeptInput[] = [];
  for (const input of inputs) {
    const bytes = bytesOf(input);
    if (bytes === "changed") return;
    const real =
      bytes === undefined || input.kind !== "file" ? {} : { real: realpathSync.native(input.path) };
    keptInputs.push({ input, ...(bytes === undefined ? {} : { kept: inputBytes.add(bytes), ...real }) });
  }
  const written = new Map<ConfigDefinition, WrittenHook>();
  const names = new Set(config.definitions.flatMap(({ definition }) => definition.matcher.events));
  const events = [...names].map((event): [string, Range] => {
    const hooks = hooksOf(config, event).map((hook) => {
      const known = written.get(hook) ?? writtenHook(keptHook(hook), rules);
      written.set(hook, known);
      return known;
    });
    return [event, hot.add(JSON.stringify(hooks))];
  });
  const head: KeptHead = {
    question: questionOf(places),
    inputs: keptInputs,
    last_good: kept.map((unit) => [lastGoodFile(unit, places.environment), unit.seal]),
    shared: hot.add(JSON.stringify(sharedPart(config))),
    events: Object.fromEntries(events),
  };
  const first = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), hot.bytes()]);
  const mark = keptMark(first.length, inputBytes.length, rules.length);
  const whole = [Buffer.from(mark), first, first, inputBytes.bytes(), rules.bytes(), rules.bytes()];
  await writeAtomically(keptFile(places), Buffer.concat(whole));
}

/** A part of the file while it grows. */
class Part {
  private readonly pieces: Buffer[] = [];
  length = 0;

  /** Adds something, and says where it stands. */
  add(piece: string | Buffer): Range {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    this.pieces.push(bytes);
    this.length += bytes.length;
    return [this.length - bytes.length, this.length];
  }

  bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

function sharedPart({ limits, timeout, settings, sites, trust, broken }: Config): Omit<EventConfig, "hooks"> {
  const { degrade, monitor } = settings;
  return {
    limits,
    ...(timeout === undefined ? {} : { timeout }),
    settings: { degrade, monitor },
    sites,
    trust,
    ...(broken === undefined ? {} : { broken }),
  };
}

/** A hook whose rules are there. */
interface ReadyHook extends KeptHook {
  readonly rules?: Omit<NonNullable<KeptHook["rules"]>, "lines"> & { lines(): readonly string[] };
}

function keptHook(hook: ConfigDefinition): ReadyHook {
  if (hook.definition.type !== "inline" || hook.untrusted !== undefined) return { hook };
  const { inline_rules: _, rules: __, examples: ___, ...definition } = hook.definition;
  const rules = readInlineRules(hook.definition);
  const { index, lines } = keepRules(rules, nodeRulePorts);
  const actions = [...new Set(rules.map(({ action }) => action.type))];
  const matched = simplyMatched(definition);
  return {
    hook: { ...hook, definition },
    rules: { index, actions, ...(matched && { matched }), lines: () => lines },
  };
}

/** What says whether a hook is asked, when that is only its events and tools by name. */
function simplyMatched({ matcher, once, async: isAsync }: ConfigDefinition["definition"]) {
  const { events: _, tools, ...others } = matcher;
  if (once === true || isAsync === true || Object.keys(others).length > 0) return undefined;
  if (tools === undefined) return {};
  const names = stringList(tools, "tools").flatMap((name) => name.split("|"));
  return names.every((name) => /^[\w-]+$/.test(name)) ? { tools: names.map(canonicalToolName) } : undefined;
}

function writtenHook({ hook, rules }: ReadyHook, part: Part): WrittenHook {
  return { hook, ...(rules && { rules: { ...rules, lines: part.add(rules.lines().join("\n")) } }) };
}

/** The hooks that are asked when an event is decided, in the order a hook set asks them. */
function hooksOf({ definitions }: Config, event: string): readonly ConfigDefinition[] {
  const asked = eventsAsked(event);
  return definitions
    .filter(({ definition, enabled }) => {
      return enabled && [definition.matcher.events].flat().some((name) => asked.has(name));
    })
    .sort((a, b) => priorityOf(a) - priorityOf(b) || scopeRank(a) - scopeRank(b));
}

function priorityOf({ definition: { priority = USUAL_PRIORITY } }: ConfigDefinition): number {
  return priority;
}

function scopeRank({ origin }: ConfigDefinition): number {
  return SCOPES.indexOf(origin.scope);
}
