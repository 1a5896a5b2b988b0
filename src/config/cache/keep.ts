import { realpathSync } from "node:fs";
import { EVENTS, type EventRow } from "../../core/events.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { keepRules } from "../../rules/kept-rules.ts";
import { readInlineRules } from "../../rules/rules.ts";
import type { Config, ConfigDefinition } from "../config.ts";
import type { Places } from "../discover.ts";
import type { Input } from "../inputs.ts";
import {
  type EventConfig,
  KEPT_MARK,
  type KeptHead,
  type KeptHook,
  keptFile,
  type Range,
  type WrittenHook,
} from "./kept.ts";
import { bytesOf, type KeptInput } from "./kept-inputs.ts";
import { questionOf } from "./question.ts";

/** What of a configuration one event is decided by. */
export function eventConfig(config: Config, event: string): EventConfig {
  const asked = eventsAsked(event);
  const hooks = config.definitions.filter((hook) => isAsked(hook, asked)).map(keptHook);
  return { ...sharedPart(config), hooks };
}

/**
 * Keeps a configuration for processes that decide one event; not when something changed meanwhile.
 *
 * @throws what the file system says.
 */
export async function writeKept(
  places: Places,
  { config, inputs }: { readonly config: Config; readonly inputs: readonly Input[] },
): Promise<void> {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (part: string | Buffer): Range => {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    parts.push(bytes);
    length += bytes.length;
    return [length - bytes.length, length];
  };
  const keptInputs: KeptInput[] = [];
  for (const input of inputs) {
    const bytes = bytesOf(input);
    if (bytes === "changed") return;
    const real =
      bytes === undefined || input.kind !== "file" ? {} : { real: realpathSync.native(input.path) };
    keptInputs.push({ input, ...(bytes === undefined ? {} : { kept: add(bytes), ...real }) });
  }
  const written = new Map<ConfigDefinition, WrittenHook>();
  const names = new Set(config.definitions.flatMap(({ definition }) => definition.matcher.events));
  const events = [...names].map((event): [string, Range] => {
    const asked = eventsAsked(event);
    const hooks = config.definitions
      .filter((hook) => isAsked(hook, asked))
      .map((hook) => {
        const known = written.get(hook) ?? writtenHook(keptHook(hook), add);
        written.set(hook, known);
        return known;
      });
    return [event, add(JSON.stringify(hooks))];
  });
  const head: KeptHead = {
    question: questionOf(places),
    inputs: keptInputs,
    shared: add(JSON.stringify(sharedPart(config))),
    events: Object.fromEntries(events),
  };
  const whole = Buffer.concat([Buffer.from(`${KEPT_MARK}${JSON.stringify(head)}\n`), ...parts]);
  await writeAtomically(keptFile(places), Buffer.concat([whole, whole]));
}

function sharedPart({ limits, timeout, settings, sites, trust, broken }: Config): Omit<EventConfig, "hooks"> {
  const { degrade } = settings;
  return {
    limits,
    ...(timeout === undefined ? {} : { timeout }),
    settings: { degrade },
    sites,
    trust,
    ...(broken === undefined ? {} : { broken }),
  };
}

function keptHook(hook: ConfigDefinition): KeptHook {
  if (hook.definition.type !== "inline" || hook.untrusted !== undefined) return { hook };
  const { inline_rules: _, rules: __, examples: ___, ...definition } = hook.definition;
  const rules = readInlineRules(hook.definition);
  const { index, lines } = keepRules(rules, nodeRulePorts);
  const actions = [...new Set(rules.map(({ action }) => action.type))];
  return { hook: { ...hook, definition }, rules: { index, actions, lines: () => lines } };
}

function writtenHook({ hook, rules }: KeptHook, add: (part: string) => Range): WrittenHook {
  return { hook, ...(rules && { rules: { ...rules, lines: add(rules.lines().join("\n")) } }) };
}

function isAsked({ definition, enabled }: ConfigDefinition, asked: ReadonlySet<string>): boolean {
  return enabled && [definition.matcher.events].flat().some((name) => asked.has(name));
}

/** The event, the gates that are asked again after a rewrite, and what a failing hook raises. */
function eventsAsked(event: string): ReadonlySet<string> {
  const table: Readonly<Record<string, EventRow>> = EVENTS;
  const other = table[event]?.rechecks_with;
  return new Set([event, "Error", ...(other === undefined ? [] : [other])]);
}
