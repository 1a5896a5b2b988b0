import { allAdapters } from "../../adapters/agents.ts";
import { declareEvents } from "../../adapters/declare-events.ts";
import type { Inspect, InspectedDefinition } from "../../config/parse/inspect.ts";
import { problemAt } from "../../config/parse/issues.ts";
import { positionOf, type ValuePath } from "../../config/parse/located.ts";
import type { Problem, Warning } from "../../config/parse/problem.ts";
import { promptProblems, templateWarnings } from "../../config/parse/template-fields.ts";
import { handlersOf } from "../../config/schema/definition.ts";
import { stringList } from "../../core/base/check-options.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { internals } from "../../core/internals.ts";
import { TOOL_NAMES, toolSpellings } from "../../core/match/tool-names.ts";
import { createHooks } from "../../index.ts";
import { ruleProblems } from "./rules.ts";
import { shellProblems } from "./shell.ts";

/**
 * Checks beyond those that decide whether a file can be used: builds every hook without running it, trusted or not, and
 * looks for what can never work as meant.
 *
 * @param judge the model of judges that the configuration as a whole names.
 */
export async function newInspection(signal: AbortSignal, judge?: string) {
  const hooks = createHooks();
  declareEvents(hooks, await allAdapters());
  const { definitions } = internals(hooks);
  const problems: Problem[] = [];
  const warnings: Warning[] = [];
  const inspect: Inspect = async (what) => {
    const { definition, path, parsed, root, isPart } = what;
    const inRules = ruleProblems(what);
    problems.push(...inRules, ...promptProblems(what), ...(await shellProblems(what, signal)));
    warnings.push(...unknownTools(what), ...templateWarnings(what));
    // A module would have to be loaded, which runs its code.
    const loads = handlersOf(definition).some(([{ type }]) => type === "module");
    if (loads || isPart === true || inRules.length > 0) return;
    const label = `Hook ${JSON.stringify(definition.name)}`;
    try {
      // The matcher is checked with the file, and what is wrong with it is reported there.
      const { events } = definition.matcher;
      const model = judgeNamed(parsed.value) ?? judge;
      const site = model === undefined ? { root } : { root, judge: { model } };
      const { handler } = await definitions.prepare({ ...definition, matcher: { events } }, site);
      if (handler.problem !== undefined)
        warnings.push({ ...placeOf(what, path), message: `${label} will fail: ${handler.problem}` });
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      // Each rule of an async hook that would decide is reported at its own line.
      if (error.code === "effect_not_allowed" && definition.async === true) return;
      const message = error.message.startsWith(label) ? error.message : `${label}: ${error.message}`;
      const key = /^Hook "[^"]*": (\w+) /.exec(message)?.[1] ?? "";
      problems.push(problemAt(parsed, Object.hasOwn(definition, key) ? [...path, key] : path, message));
    }
  };
  return { inspect, problems, warnings };
}

/** The model of judges that a file names, which may not be trusted. */
function judgeNamed(file: unknown): string | undefined {
  const { models, hooks } = isRecord(file) ? file : {};
  const named = [isRecord(models) && models.judge, isRecord(hooks) && hooks.llm_model];
  return named.find((model) => typeof model === "string");
}

function placeOf({ parsed }: InspectedDefinition, path: ValuePath) {
  return { file: parsed.file, ...positionOf(parsed.located, path) };
}

/** Names of tools that no agent has and that look like one it has. */
function unknownTools(what: InspectedDefinition): readonly Warning[] {
  const { definition, path, parsed } = what;
  const { tools } = definition.matcher;
  if (tools === undefined) return [];
  const file = isRecord(parsed.value) && isRecord(parsed.value.hooks) ? parsed.value.hooks.tools : undefined;
  const declared: readonly unknown[] = Array.isArray(file) ? file : [];
  const at = [...path, "matcher", "tools"];
  return stringList(tools, "tools").flatMap((text, index) => {
    const names = text.startsWith("/") ? [] : text.split("|").map((name) => name.trim());
    return names.flatMap((name) => {
      const misspelt = declared.includes(name) ? undefined : misspeltTool(name);
      if (misspelt === undefined) return [];
      const message = `Hook ${JSON.stringify(definition.name)}: ${misspelt} A tool of your own is declared in hooks.tools.`;
      return [{ ...placeOf(what, typeof tools === "string" ? at : [...at, index]), message }];
    });
  });
}

/** What to say of a name that no tool has and that looks like one. */
export function misspeltTool(name: string): string | undefined {
  const known = Object.keys(TOOL_NAMES).flatMap(toolSpellings);
  if (!/^[\w-]+$/.test(name) || known.includes(name)) return undefined;
  const near = didYouMean(name, known);
  return near === "" ? undefined : `no agent has a tool ${JSON.stringify(name)}.${near}`;
}
