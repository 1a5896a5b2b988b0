import { readdirSync } from "node:fs";
import { DefaultReporter, type SerializedError, type TestModule, type Vitest } from "vitest/node";

/** What failed: a test, a group of tests, a file, or the run itself. */
interface Failure {
  readonly name: string;
  readonly message: string;
}

const MOST_LINES = 12;
const MOST_LEFT = 20;

/**
 * Ends the output with what somebody needs who reads only its end: the failures, what was not run by its reason, and the line
 * `N passed, N failed, N skipped`. A test that has left something in a temporary folder fails a run in which nothing else
 * failed; otherwise that is said before the failures, since a test that fails can't always clean up.
 */
export class ClosingLines extends DefaultReporter {
  #vitest: Vitest | undefined;

  override onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    super.onInit(vitest);
  }

  override onTestRunEnd(...run: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    super.onTestRunEnd(...run);
    const [modules, errors] = run;
    const failures = [...modules.flatMap(failuresIn), ...errors.map((error) => failure("the run", error))];
    const left = this.#leftovers();
    if (left !== undefined && failures.length > 0) console.log(`\n${left.message}`);
    else if (left !== undefined) {
      failures.push(left);
      process.exitCode = 1;
    }
    const isChosen = this.#vitest?.config.testNamePattern !== undefined;
    console.log(closingText(modules, failures, isChosen ? "The run was asked for other names." : undefined));
  }

  #leftovers(): Failure | undefined {
    const folders = this.#vitest?.getRootProject().getProvidedContext().temporaryFolders ?? [];
    const left = folders.flatMap((path) => readdirSync(path, { recursive: true, encoding: "utf8" }));
    if (left.length === 0) return undefined;
    const message = ["Tests left something in their temporary folder:", ...left.slice(0, MOST_LEFT)];
    return { name: "the run", message: message.join("\n") };
  }
}

function failuresIn(module: TestModule): readonly Failure[] {
  const file = module.relativeModuleId;
  const all = [
    ...module.errors().map((error) => failure(file, error)),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => failure(`${file} > ${suite.fullName}`, error)),
    ),
  ];
  for (const test of module.children.allTests("failed")) {
    const [error] = test.result().errors ?? [];
    all.push(failure(`${file} > ${test.fullName}`, error));
  }
  return all;
}

function failure(name: string, error: Partial<SerializedError> | undefined): Failure {
  const lines = (error?.message ?? "It failed without a message.").split("\n");
  const place = error?.stacks?.[0];
  const at = place === undefined ? [] : [`at ${place.file}:${place.line}`];
  const more = lines.length > MOST_LINES ? ["…"] : [];
  return { name, message: [...lines.slice(0, MOST_LINES), ...more, ...at].join("\n") };
}

/** @param otherwise why tests were not run that say no reason themselves. */
function closingText(
  modules: readonly TestModule[],
  failures: readonly Failure[],
  otherwise = "Nobody says why.",
): string {
  const notRun = new Map<string, string[]>();
  let passed = 0;
  let skipped = 0;
  for (const module of modules)
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === "passed") passed += 1;
      if (result.state === "passed" || result.state === "failed") continue;
      skipped += 1;
      const note = result.state === "skipped" ? result.note : "The run ended before.";
      const files = notRun.get(note ?? otherwise) ?? [];
      notRun.set(note ?? otherwise, [...files, module.relativeModuleId]);
    }
  const blocks = failures.map(({ name, message }) => `FAILED ${name}\n${indented(message)}\n`);
  const reasons = [...notRun].map(
    ([reason, files]) =>
      `NOT RUN ${counted(files.length)} in ${[...new Set(files)].join(", ")}\n${indented(reason)}\n`,
  );
  return ["", ...blocks, ...reasons, `${passed} passed, ${failures.length} failed, ${skipped} skipped`].join(
    "\n",
  );
}

const counted = (tests: number): string => (tests === 1 ? "1 test" : `${tests} tests`);

const indented = (text: string): string => text.replace(/^/gm, "  ");
