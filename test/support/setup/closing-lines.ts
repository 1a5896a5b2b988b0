import { readdirSync } from "node:fs";
import {
  DefaultReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type Vitest,
} from "vitest/node";
import { NEEDS, whyMissing } from "../../../scripts/needed-programs.mjs";

/** What failed: a test, a group of tests, a file, or the run itself. */
interface Failure {
  readonly name: string;
  readonly message: string;
}

const MOST_LINES = 12;
const MOST_LEFT = 20;

/** What a run says besides its tests. */
interface Settings {
  /** How many of the slowest files to name. */
  readonly slowest?: number;
  /** Whether a test that a missing program leaves out is a failure, as it is where nobody looks. */
  readonly needsEverything?: boolean;
}

/**
 * Shows how far the run is, and nothing of what passes. Ends the output with what somebody needs who reads only its end: what
 * was not run by its reason, the failures, and the line `N passed, N failed, N skipped`. A test that has left something in a temporary folder
 * fails a run in which nothing else failed; otherwise that is said before the failures, since a test that fails can't always clean up.
 */
export class ClosingLines extends DefaultReporter {
  readonly #settings: Settings;
  #vitest: Vitest | undefined;
  #progress = new Progress(0);

  constructor(settings: Settings = {}) {
    super({ summary: false, silent: "passed-only" });
    this.#settings = settings;
  }

  override onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    super.onInit(vitest);
  }

  override onTestRunStart(...run: Parameters<DefaultReporter["onTestRunStart"]>): void {
    super.onTestRunStart(...run);
    this.#progress = new Progress(run[0].length);
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#progress.hide();
    super.onTestModuleEnd(module);
    this.#progress.add(module);
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    if (test.result().state !== "failed") return;
    this.#progress.hide();
    // Whoever interrupts the run sees no end of it.
    console.log(`failed: ${test.module.relativeModuleId} > ${test.fullName}`);
  }

  override onUserConsoleLog(...log: Parameters<DefaultReporter["onUserConsoleLog"]>): void {
    this.#progress.hide();
    super.onUserConsoleLog(...log);
  }

  // What passes and what fails is said at the end.
  override printTestModule(): void {}

  override onTestRunEnd(...run: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    this.#progress.hide();
    super.onTestRunEnd(...run);
    const [modules, errors] = run;
    const { slowest = 0, needsEverything = false } = this.#settings;
    const failures = [...modules.flatMap(failuresIn), ...errors.map((error) => failure("the run", error))];
    const left = this.#leftovers();
    if (left !== undefined && failures.length > 0) console.log(`\n${left.message}`);
    else if (left !== undefined) failures.push(left);
    const isChosen = this.#vitest?.config.testNamePattern !== undefined;
    const notRun = notRunIn(modules, isChosen ? "The run was asked for other names." : undefined);
    const missing = NEEDS.map(({ program }) => whyMissing(program)).filter((why) => why && notRun.has(why));
    if (needsEverything && missing.length > 0)
      failures.push({ name: "the run", message: ["Here every test must run.", ...missing].join("\n") });
    if (failures.length > 0) process.exitCode = 1;
    if (slowest > 0) console.log(slowestText(modules, slowest));
    console.log(closingText(modules, failures, notRun));
  }

  #leftovers(): Failure | undefined {
    const folders = this.#vitest?.getRootProject().getProvidedContext().temporaryFolders ?? [];
    const left = folders.flatMap((path) => readdirSync(path, { recursive: true, encoding: "utf8" }));
    if (left.length === 0) return undefined;
    const message = ["Tests left something in their temporary folder:", ...left.slice(0, MOST_LEFT)];
    return { name: "the run", message: message.join("\n") };
  }
}

/** How far a run is: one line that changes on a terminal, else a line for each tenth. */
class Progress {
  readonly #total: number;
  readonly #started = performance.now();
  #done = 0;
  #passed = 0;
  #failed = 0;
  #tenths = 0;

  constructor(total: number) {
    this.#total = total;
  }

  add(module: TestModule): void {
    this.#done += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") this.#passed += 1;
      if (state === "failed") this.#failed += 1;
    }
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    const line = `${this.#done} of ${this.#total} files, ${this.#passed} passed, ${this.#failed} failed, ${seconds} s`;
    const tenths = Math.floor((10 * this.#done) / this.#total);
    if (process.stdout.isTTY) process.stdout.write(line);
    else if (tenths > this.#tenths) console.log(line);
    this.#tenths = tenths;
  }

  /** Makes room for what is written next. */
  hide(): void {
    if (process.stdout.isTTY) process.stdout.write("\r\x1b[2K");
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

/**
 * The files with tests that were not run, by the reason.
 *
 * @param otherwise why tests were not run that say no reason themselves.
 */
function notRunIn(
  modules: readonly TestModule[],
  otherwise = "Nobody says why.",
): ReadonlyMap<string, readonly string[]> {
  const notRun = new Map<string, string[]>();
  for (const module of modules)
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === "passed" || result.state === "failed") continue;
      const reason = (result.state === "skipped" ? result.note : "The run ended before.") ?? otherwise;
      notRun.set(reason, [...(notRun.get(reason) ?? []), module.relativeModuleId]);
    }
  return notRun;
}

function closingText(
  modules: readonly TestModule[],
  failures: readonly Failure[],
  notRun: ReadonlyMap<string, readonly string[]>,
): string {
  const passed = modules.flatMap(({ children }) => [...children.allTests("passed")]).length;
  const skipped = [...notRun.values()].flat().length;
  const reasons = [...notRun].map(
    ([reason, files]) =>
      `NOT RUN ${counted(files.length)} in ${[...new Set(files)].join(", ")}\n${indented(reason)}\n`,
  );
  const blocks = failures.map(({ name, message }) => `FAILED ${name}\n${indented(message)}\n`);
  return ["", ...reasons, ...blocks, `${passed} passed, ${failures.length} failed, ${skipped} skipped`].join(
    "\n",
  );
}

function slowestText(modules: readonly TestModule[], most: number): string {
  const lines = modules
    .map((module) => ({ seconds: module.diagnostic().duration / 1000, file: module.relativeModuleId }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, most)
    .map(({ seconds, file }) => `${seconds.toFixed(1).padStart(6)} s  ${file}`);
  return ["", "The slowest files:", ...lines].join("\n");
}

const counted = (tests: number): string => (tests === 1 ? "1 test" : `${tests} tests`);

const indented = (text: string): string => text.replace(/^/gm, "  ");
