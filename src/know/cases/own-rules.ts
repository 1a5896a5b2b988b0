import { positionOf } from "../../config/parse/located.ts";
import { readConfigFile } from "../../config/parse/read-file.ts";
import { placeInRules } from "../../config/parse/rules-place.ts";
import type { Config } from "../../config.ts";
import { isRecord } from "../../core/base/json.ts";
import { nodeRulePorts } from "../../node/ports.ts";
import { printRule } from "../../rules/language/print.ts";
import { compileInlineRules, type InlineRules } from "../../rules/rules.ts";

/** The rules of one inline hook of a file: packs are tried by their own tests. */
export interface OwnRules extends InlineRules {
  readonly hook: string;
  readonly file: string;
  /** Of the hook. */
  readonly line: number;
  /** As the file writes it. */
  readonly definition: Readonly<Record<string, unknown>> & { readonly name: string };
}

/** The hooks with rules of their own that a configuration holds. */
export async function ownRules({ definitions }: Pick<Config, "definitions">): Promise<readonly OwnRules[]> {
  const own = definitions.filter(
    ({ definition, pack }) => definition.type === "inline" && pack === undefined,
  );
  return Promise.all(
    own.map(async ({ name: hook, definition, origin: { file, line } }) => {
      const compiled = await compileInlineRules({ ...definition, examples: [] }, nodeRulePorts);
      return { ...compiled, hook, file, line, definition: { ...definition } };
    }),
  );
}

export interface MissedRule {
  readonly hook: string;
  readonly rule: string;
  readonly file: string;
  readonly line: number;
}

export interface Coverage {
  readonly rules: number;
  readonly reached: number;
  readonly missed: readonly MissedRule[];
}

/** `reached` holds the numbers of the rules that decided, by hook. */
export async function coverageOf(
  own: readonly OwnRules[],
  reached: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<Coverage> {
  const missed = await Promise.all(own.map((hook) => missedIn(hook, reached.get(hook.hook) ?? new Set())));
  const rules = own.reduce((sum, hook) => sum + hook.rules.length, 0);
  return { rules, reached: rules - missed.flat().length, missed: missed.flat() };
}

async function missedIn(own: OwnRules, reached: ReadonlySet<number>): Promise<readonly MissedRule[]> {
  const lineOf = await ruleLines(own);
  return own.rules.flatMap((rule, index) =>
    reached.has(index)
      ? []
      : [{ hook: own.hook, rule: printRule(rule), file: own.file, line: lineOf(index) }],
  );
}

/** Where in its file each rule of a hook is. */
async function ruleLines({ file, line, definition, rules }: OwnRules): Promise<(index: number) => number> {
  const parsed = await readConfigFile(file);
  const hooks = isRecord(parsed.value) ? parsed.value.hooks : undefined;
  const list: unknown = isRecord(hooks) ? hooks.definitions : undefined;
  const at = Array.isArray(list)
    ? list.findIndex((one: unknown) => isRecord(one) && one.name === definition.name)
    : -1;
  if (at === -1) return () => line;
  const path = ["hooks", "definitions", at];
  return (index) => {
    const inText = rules[index]?.line;
    if (inText === undefined) return positionOf(parsed.located, [...path, "inline_rules", index]).line;
    return placeInRules(parsed, path, definition.rules, { line: inText, column: 1 }).line;
  };
}
