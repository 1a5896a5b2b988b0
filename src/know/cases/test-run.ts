import type { Config } from "../../config.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import { tryHooks } from "../tried-hooks.ts";
import { readCases, type TestCase } from "./case-file.ts";
import { runExamples } from "./examples.ts";
import { type Coverage, coverageOf, ownRules } from "./own-rules.ts";
import { type CaseResult, runCase } from "./run-case.ts";
import type { Unexpected } from "./update.ts";

export interface TestRunOptions {
  readonly config: Config;
  readonly files: readonly string[];
  /** The folder of events that name none. */
  readonly cwd: string;
  /** Programs, servers and models are asked as well. */
  readonly run?: boolean;
  /** Only cases with this in their name. */
  readonly filter?: string;
  readonly signal?: AbortSignal;
}

export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly not_evaluated: number;
  readonly cases: readonly CaseResult[];
  readonly coverage: Coverage;
  /** Cases that expect nothing yet. */
  readonly unexpected: readonly Unexpected[];
}

/**
 * Carries out the cases of files, and the examples of rules, on the hooks of a configuration.
 *
 * @throws ConfigError for a file that can't be used, before anything is tried.
 */
export async function runTests(options: TestRunOptions): Promise<TestRun> {
  const { config, files, cwd, run, filter = "", signal } = options;
  const written = (await Promise.all(files.map((file) => readCases(file, signal)))).flat();
  const chosen = written.filter(({ name }) => name.includes(filter));
  const own = await ownRules(config);
  const reached = new Map<string, Set<number>>();
  const reach = (hook: string, rule: number): void => {
    reached.set(hook, (reached.get(hook) ?? new Set()).add(rule));
  };
  const tried = await tryHooks(config, withoutUndefined({ run }));
  tried.hooks.observe({
    onDecision: ({ decision }) => {
      for (const { name, rule } of decision.runs) if (rule !== undefined) reach(name, rule.index);
    },
  });
  try {
    const cases: CaseResult[] = [];
    const unexpected = new Map<string, Unexpected>();
    for (const test of chosen) {
      signal?.throwIfAborted();
      const result = await runCase(test, tried, { cwd, signal });
      cases.push(result);
      noteUnexpected(test, result, unexpected);
    }
    for (const hook of own)
      cases.push(...(await runExamples(hook, reach)).filter(({ name }) => name.includes(filter)));
    const count = (status: CaseResult["status"]): number =>
      cases.filter((one) => one.status === status).length;
    return {
      passed: count("passed"),
      failed: count("failed"),
      not_evaluated: count("not_evaluated"),
      cases,
      coverage: await coverageOf(own, reached),
      unexpected: [...unexpected.values()],
    };
  } finally {
    await tried.close();
  }
}

/** A case of one event that expects nothing. In a sequence, a step without `expect` only leads to the next. */
function noteUnexpected(
  { file, index, steps }: TestCase,
  { actual, status, problem }: CaseResult,
  found: Map<string, Unexpected>,
): void {
  const isOne = steps.length === 1 && steps[0]?.expect === undefined;
  const isSettled = status === "not_evaluated" && problem !== undefined;
  if (!isOne || !isSettled || actual === undefined) return;
  const key = `${file}:${index}`;
  const before = found.get(key)?.actual ?? [];
  found.set(key, { file, index, actual: [...before, actual] });
}
