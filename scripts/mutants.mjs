// `node scripts/mutants.mjs [--seed N] [--count N] [--long]`: plants single faults into src, one after the other, and tells which of
// them `npm test` finds: a comparison turned round, a branch that is never taken, a function that returns at once. A fault that
// the types refuse says nothing about the tests, so another one takes its place. It is found when a test fails twice that passes
// without it. `--long` asks the `*.long.test.ts` files too about what nobody found. It changes files: run it in a clone of its own.
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
  writeFileSync(path, lines.join("\n"));
  try {
    if (
      !succeeds(
        "tsc",
        "-p",
        "tsconfig.json",
        "--incremental",
        "--tsBuildInfoFile",
        "node_modules/.cache/mutants.tsbuildinfo",
      )
    )
      continue;
    planted += 1;
    const by = whoFinds(file);
    if (by !== undefined) found += 1;
    console.log(
      `${by === undefined ? "missed" : "found "} ${fault.name}  ${file}:${at + 1}  ${by ?? (lines[at] ?? "").trim()}`,
    );
  } finally {
    writeFileSync(path, before);
  }
}
execFileSync("node", ["scripts/build.mjs"], { cwd: root, stdio: "ignore" });
console.log(`${found} of ${planted} found (seed ${values.seed}).`);

/**
 * Asks the tests of the fault's room first, since they mostly find it.
 *
 * @param {string} file
 * @returns {string | undefined} the file of the test that failed twice.
 */
function whoFinds(file) {
  const room = `test/${file.split("/")[1]?.replace(/\.ts$/, "")}/`;
  return (
    failing("--project", "unit", room) ??
    failing("--project", "unit") ??
    (succeeds("node", "scripts/build.mjs") ? undefined : "the build") ??
    failing("--project", "process", room) ??
    failing("--project", "process") ??
    (values.long ? failing("--project", "long") : undefined)
  );
}

/**
 * @param {...string} args
 * @returns {string | undefined}
 */
function failing(...args) {
  const [first] = failed("--bail", "1", ...args);
  return first !== undefined && failed(first, ...args.slice(0, 2)).includes(first) ? first : undefined;
}

/**
 * @param {...string} args
 * @returns {readonly string[]} the files with a test that failed.
 */
function failed(...args) {
  const { stdout } = spawnSync(bin("vitest"), ["run", "--passWithNoTests", ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  return [...stdout.matchAll(/^FAILED (test\/\S+\.test\.ts)/gm)].map(([, name = ""]) => name);
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
