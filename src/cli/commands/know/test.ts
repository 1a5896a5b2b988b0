import { statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfig } from "../../../config.ts";
import { replaceFile } from "../../../install/change-files.ts";
import { findCaseFiles, namedCaseFiles } from "../../../know/cases/find-cases.ts";
import { runTests, type TestRun } from "../../../know/cases/test-run.ts";
import { writeExpected } from "../../../know/cases/update.ts";
import { type CommandRun, flagOption, type Invocation, textOption } from "../../command-line/command.ts";
import { showFailure } from "../../command-line/failures.ts";
import { counted, dim, shortPath } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { asItWas } from "../../integrations/as-it-was.ts";
import { REPORTERS } from "./test/reporters.ts";

const NO_CASES = `No cases yet. Write .tenterhook/tests/first.yaml:

  cases:
    - name: nobody deletes the home folder
      bash: rm -rf ~
      expect: { action: deny }`;

export const run: CommandRun = async (invocation) => {
  if (!flagOption(invocation, "watch")) return testOnce(invocation);
  return testAlways(invocation);
};

/** Tries all cases once. @returns the code that the program ends with. */
async function testOnce(
  invocation: Invocation,
  uses: (files: readonly string[]) => void = () => {},
): Promise<number> {
  const { cwd, environment, signal, screen, names, json } = invocation;
  const config = await loadConfig({ cwd, environment, signal });
  const files = names.length > 0 ? await namedCaseFiles(names, cwd) : await findCaseFiles(config);
  // The folder of a configuration shows when its folder of cases comes.
  uses([...files, ...config.files.map(({ file }) => file)]);
  const started = performance.now();
  const filter = textOption(invocation, "filter");
  const options = {
    config,
    files,
    cwd: config.trust.root,
    signal,
    run: flagOption(invocation, "run"),
    filter,
  };
  const first = await runTests(options);
  const result =
    flagOption(invocation, "update") && (await update(first, invocation)) ? await runTests(options) : first;
  const milliseconds = performance.now() - started;
  const reporter = json ? "json" : (textOption(invocation, "reporter") ?? "default");
  const coverage = flagOption(invocation, "coverage");
  const { passed, failed, not_evaluated, cases } = result;
  if (cases.length === 0 && filter !== undefined)
    throw usageError(
      `No case has ${JSON.stringify(filter)} in its name.`,
      "tenterhook test --json lists the names.",
    );
  if (reporter === "json")
    screen.json({ passed, failed, not_evaluated, cases, ...(coverage ? { coverage: result.coverage } : {}) });
  else if (cases.length === 0 && reporter === "default") screen.print(NO_CASES);
  else screen.print(REPORTERS[reporter]?.({ run: result, cwd, coverage, milliseconds }));
  const isTested = passed + failed > 0;
  if (!isTested) screen.tell("  No case was run, so this fails.");
  return failed > 0 || !isTested ? 1 : 0;
}

/** Writes what was decided into cases that expect nothing, and says where. @returns whether it wrote any. */
async function update({ unexpected }: TestRun, invocation: Invocation): Promise<boolean> {
  const { screen, cwd } = invocation;
  const backups: (string | undefined)[] = [];
  const found = await writeExpected(unexpected, async (file, text) => {
    backups.push(await replaceFile(file, text, invocation));
  });
  const written = found.filter(({ problem }) => problem === undefined);
  const files = [...new Set(written.map(({ file }) => shortPath(file, cwd)))];
  screen.tell(
    written.length === 0
      ? "  Nothing to update."
      : `  Wrote ${counted(written.length, "case")} in ${files.join(", ")}.`,
    ...asItWas(invocation, ...backups),
  );
  for (const { file, problem } of found)
    if (problem !== undefined) screen.tell(`  ${shortPath(file, cwd)}: ${problem}`);
  return written.length > 0;
}

/** Editors write a file in several steps. */
const SETTLES_MILLISECONDS = 100;
/** File times can lag behind the clock by this much. */
const CLOCK_MILLISECONDS = 10;

/**
 * Tries all cases, and again after every change in the folders of the files that were used, until the user ends it. A
 * file that can't be used is shown, and changes go on counting.
 */
async function testAlways(invocation: Invocation): Promise<void> {
  const { screen, cwd, signal } = invocation;
  let used: readonly string[] = [join(cwd, ".tenterhook"), join(cwd, ".tenterhook/hooks.yaml")];
  while (!signal.aborted) {
    if (screen.interactive) screen.write("\u001b[2J\u001b[H");
    const begun = Date.now() - CLOCK_MILLISECONDS;
    try {
      // Told before the cases are tried: a file that changes meanwhile counts.
      await testOnce(invocation, (files) => {
        used = files;
      });
    } catch (error) {
      if (signal.aborted) return;
      showFailure(error, invocation);
    }
    screen.print("", dim("  Waiting for changes; Ctrl-C ends."));
    await change(used, begun, signal);
  }
}

/** Resolves after a change in one of the folders of the files since that time, or when the signal is aborted. */
function change(files: readonly string[], since: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => void setTimeout(end, SETTLES_MILLISECONDS);
    const watchers = [...new Set(files.map((file) => dirname(file)))].flatMap((folder) => {
      try {
        return [watch(folder, settle).on("error", () => undefined)];
      } catch {
        return [];
      }
    });
    const end = (): void => {
      for (const watcher of watchers) watcher.close();
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    // A file may also have a time that is still to come.
    const now = Date.now();
    const times = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (times.some((time) => time > since && time <= now)) settle();
  });
}
