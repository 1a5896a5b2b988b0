// `node scripts/mutants.mjs [--seed N] [--count N] [--long]`: plants single faults into src, one after the other, and tells which of
// them `npm test` finds: a comparison turned round, a branch that is never taken, a function that returns at once. A fault that
// the types refuse says nothing about the tests, so another one takes its place; src/dashboard is tested in a browser only, and
// left out. A fault is found when a test fails twice with it, and passes without it. `--long` asks the `*.long.test.ts` files too about what nobody found. It changes files: run it in a clone of its own.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./run.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    long: { type: "boolean", default: false },
  },
});

const INCREMENTAL = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/mutants.tsbuildinfo"];
const NO_END = "a run that did not end";

/** @typedef {{ test: string, project: "unit" | "process" | "long" }} Failure A file of tests, and its kind. */

/** @type {readonly { name: string, fits: RegExp, plant: (line: string) => string }[]} */
const FAULTS = [
  {
    name: "a comparison turned round",
    fits: /[^=!<>]=== | !== | [<>]=? (?!\()/,
    plant: (line) => line.replace(/ (===|!==|<=|>=|<|>) /, (_, sign) => ` ${TURNED.get(sign)} `),
  },
  {
    name: "a branch that is never taken",
    fits: /^\s*(?:\} else )?if \(.*\) (?:\{|return\b.*;|throw\b.*;|continue;)$/,
    plant: (line) =>
      line.replace(/if \((.*)\) (\{|return\b.*;|throw\b.*;|continue;)$/, "if (false && ($1)) $2"),
  },
  {
    name: "a function that returns at once",
    fits: /^(?:export )?(?:async )?function \w+\(.*\).*\{$|^\): .*\{$/,
    plant: (line) => `${line} return undefined as never;`,
  },
];
const TURNED = new Map(
  Object.entries({ "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=", "<=": ">" }),
);

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("dashboard"))
  .map((name) => join("src", name))
  .sort();
/** Every place at which a fault fits. */
const places = files.flatMap((file) =>
  readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((line, at) =>
      FAULTS.filter(
        ({ fits }) => fits.test(line) && !/^\s*(?:\/\/|\*|\/\*|type |export type )/.test(line),
      ).map((fault) => ({ file, at, fault })),
    ),
);

if (!succeeds("node", "scripts/test-needs.mjs")) process.exit(1);
if (spawnSync("git", ["diff", "--quiet", "--", "src"], { cwd: root }).status !== 0) {
  console.error("src has changes that are not committed: faults would be lost among them.");
  process.exit(2);
}

let found = 0;
let planted = 0;
for (let draw = 0; planted < Number(values.count); draw += 1) {
  const place = places[numberOf(`${values.seed} ${draw}`) % places.length];
  if (place === undefined) break;
  const { file, at, fault } = place;
  const path = join(root, file);
  const before = readFileSync(path, "utf8");
  const lines = before.split("\n");
  lines[at] = fault.plant(lines[at] ?? "");
  /** @type {Failure | undefined} */
  let failure;
  try {
    writeFileSync(path, lines.join("\n"));
    if (!succeeds("tsc", "-p", "tsconfig.json", ...INCREMENTAL)) continue;
    failure = whoFails(file);
  } finally {
    writeFileSync(path, before);
  }
  planted += 1;
  if (failure !== undefined && failure.project !== "unit") build();
  const isFound = failure !== undefined && !failsIn(failure);
  if (isFound) found += 1;
  const what = `${fault.name}  ${file}:${at + 1}  ${(lines[at] ?? "").trim()}`;
  const missed = failure === undefined ? what : `${what}  (${failure.test} fails without it, too)`;
  console.log(isFound ? `found   ${what}  by ${failure?.test}` : `missed  ${missed}`);
}
build();
console.log(`${found} of ${planted} found (seed ${values.seed}).`);

/**
 * Asks the tests of the fault's room first, since they mostly find it.
 *
 * @param {string} file
 * @returns {Failure | undefined}
 */
function whoFails(file) {
  const room = `test/${file.split("/")[1]?.replace(/\.ts$/, "")}/`;
  const ofUnit = failsTwice("unit", room) ?? failsTwice("unit");
  if (ofUnit !== undefined) return ofUnit;
  build();
  return (
    failsTwice("process", room) ??
    failsTwice("process") ??
    (values.long ? (failsTwice("long", room) ?? failsTwice("long")) : undefined)
  );
}

/**
 * @param {Failure["project"]} project
 * @param {...string} files
 * @returns {Failure | undefined} the first test that fails, if it does so again.
 */
function failsTwice(project, ...files) {
  const [test] = failed("--project", project, "--bail", "1", ...files);
  return test !== undefined && failsIn({ test, project }) ? { test, project } : undefined;
}

/** @param {Failure} failure */
function failsIn({ test, project }) {
  return failed("--project", project, test === NO_END ? "" : test).includes(test);
}

/**
 * @param {...string} args
 * @returns {readonly string[]} the files with a test that failed.
 */
function failed(...args) {
  // A fault may make a loop endless, which no limit inside the process ends.
  const line = ["--signal=KILL", "20m", bin("vitest"), "run", "--passWithNoTests", ...args.filter(Boolean)];
  const { stdout, status } = spawnSync("timeout", line, { cwd: root, encoding: "utf8", maxBuffer: 1e9 });
  if (status === null || status === 137) return [NO_END];
  return [...stdout.matchAll(/^FAILED (test\/\S+\.test\.ts)/gm)].map(([, name = ""]) => name);
}

/** @throws Error when a fault breaks the build; only one of a type could. */
function build() {
  execFileSync("node", ["scripts/build.mjs"], { cwd: root, stdio: "ignore" });
}

/**
 * @param {string} program
 * @param {...string} args
 */
function succeeds(program, ...args) {
  return (
    spawnSync(program === "node" ? program : bin(program), args, { cwd: root, stdio: "ignore" }).status === 0
  );
}

/** @param {string} name */
function bin(name) {
  return join(root, "node_modules/.bin", name);
}

/** @param {string} text */
function numberOf(text) {
  return createHash("sha256").update(text).digest().readUInt32LE();
}
