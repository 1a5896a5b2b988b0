import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { readCases } from "../cases/case-file.ts";
import { runExamples } from "../cases/examples.ts";
import { findCaseFiles, namedCaseFiles } from "../cases/find-cases.ts";
import { ownRules } from "../cases/own-rules.ts";
import { differenceText, namesOfSilent, tookPart } from "../cases/result-text.ts";
import { type CaseResult, runCase } from "../cases/run-case.ts";
import { type HookSource, openSource, type SourceOptions } from "./open-source.ts";

/** `test` of Vitest, Jest or `node:test`. */
export type TestFunction = (name: string, run: (...given: readonly unknown[]) => Promise<void>) => unknown;

/** How cases become tests. */
export interface RunCasesOptions extends SourceOptions {
  /** Default: the global `test` or `it`, and without one that of `node:test`. */
  readonly test?: TestFunction;
  /** The hooks that decide. Default: the configuration in force in this process's folder. */
  readonly hooks?: HookSource;
}

/**
 * Makes each case of `tenterhook test` a test of the runner that is there, the examples of rules included. A case that is
 * not evaluated is skipped, or fails where a running test can't be skipped (Jest).
 *
 * @param files the names of files with cases, or of folders with such files. Default: those beside the configuration.
 * @throws ConfigError for files that can't be used; TenterhookError `invalid_option` when there is no case, or nobody to run
 *   it.
 * @example
 * await runCases(".tenterhook/tests", { test });
 */
export async function runCases(
  files: string | readonly string[] = [],
  { test, hooks = process.cwd(), ...options }: RunCasesOptions = {},
): Promise<void> {
  const register = test ?? runnerHere();
  const { tried, cwd, config, inTurn } = await openSource(hooks, options);
  const named = await namedCaseFiles([files].flat(), process.cwd());
  const found = named.length > 0 || config === undefined ? named : await findCaseFiles(config);
  const cases = (await Promise.all(found.map((file) => readCases(file)))).flat();
  const own = config === undefined ? [] : await ownRules(config);
  const examples = (await Promise.all(own.map((rules) => runExamples(rules, () => {})))).flat();
  // A runner without tests is content, and nobody would notice that nothing is checked.
  if (cases.length + examples.length === 0)
    throw new TenterhookError("invalid_option", "There is no case to run. Name the files that have some.");
  for (const one of cases)
    register(one.name, async (...[context]) => {
      const result = await inTurn(async () => {
        const ended = await runCase(one, tried, { cwd });
        // The last test is not known: others may be filtered out. What is needed again starts again.
        await tried.close();
        return ended;
      });
      settle(result, context);
    });
  for (const result of examples) register(result.name, async (...[context]) => settle(result, context));
}

/** Ends a test as its case ended. */
function settle({ file, line, ...result }: CaseResult, context: unknown): void {
  const { status, problem, differences, hooks } = result;
  if (status === "passed") return;
  const waits = `${namesOfSilent(hooks)} would decide it: give the case a stub, or \`run: true\`.`;
  const isOpen = status === "not_evaluated";
  const why = problem ?? (isOpen ? waits : differences.map(differenceText).join("\n"));
  if (isOpen && isRecord(context) && typeof context.skip === "function") {
    context.skip(why);
    return;
  }
  throw new Error(`${file}:${line} ${isOpen ? "is not evaluated" : "failed"}\n${why}\n${tookPart(hooks)}`);
}

function runnerHere(): TestFunction {
  const found: unknown = Reflect.get(globalThis, "test") ?? Reflect.get(globalThis, "it");
  if (isTestFunction(found)) return found;
  // Tests given to another runner than the one that is at work would not count.
  const others = "__vitest_worker__" in globalThis || process.env.JEST_WORKER_ID !== undefined;
  if (others)
    throw new TenterhookError(
      "invalid_option",
      "Your test runner has no global `test`. Import it and pass it on: runCases(files, { test }).",
    );
  return process.getBuiltinModule("node:test").test;
}

function isTestFunction(value: unknown): value is TestFunction {
  return typeof value === "function";
}
