// The steps of the action. Each ends with the exit code of the program that it runs.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const {
  CONFIG = "",
  SESSIONS = "",
  AGENTS = "",
  PULL_REQUEST = "",
  GH_TOKEN = "",
  GITHUB_BASE_REF = "",
  GITHUB_STEP_SUMMARY,
  TENTERHOOK_VERSION = "latest",
  TENTERHOOK_PROGRAM,
} = process.env;

/** A comment is found again by this. */
const MARK = "<!-- tenterhook -->";
const MOST_SHOWN = 20;
const LONGEST_CALL = 160;

/** @type {Record<string, () => number>} */
const STEPS = {
  check: () => tenterhook(["check", "--format", "github", CONFIG]),
  test: () => tenterhook(["test", "--reporter", "github"]),
  replay,
  prove: () => tenterhook(["prove", ...AGENTS.split(/[\s,]+/).filter(Boolean)]),
};

function replay() {
  const base = baseConfig();
  const args = [
    "replay",
    "--json",
    "--all",
    "--config",
    CONFIG,
    ...(base === undefined ? [] : ["--against", base]),
  ];
  const { status, stdout } = run(...program([...args, SESSIONS]), "pipe");
  if (status !== 0) return status;
  const text = commentOn(JSON.parse(stdout), base !== undefined);
  if (GITHUB_STEP_SUMMARY !== undefined) appendFileSync(GITHUB_STEP_SUMMARY, text);
  console.log(text);
  return PULL_REQUEST === "" || GH_TOKEN === "" ? 0 : comment(text);
}

/** The configuration of the base branch, in a file beside ours, so that what it names is found. */
function baseConfig() {
  if (GITHUB_BASE_REF === "") return undefined;
  const revision = `origin/${GITHUB_BASE_REF}`;
  run(
    "git",
    ["fetch", "--quiet", "--depth=1", "origin", `${GITHUB_BASE_REF}:refs/remotes/${revision}`],
    "pipe",
  );
  const { status, stdout } = run("git", ["show", `${revision}:${CONFIG}`], "pipe");
  if (status !== 0) return undefined;
  const file = join(dirname(CONFIG), "hooks.base.yaml");
  writeFileSync(file, stdout);
  return file;
}

/**
 * What a reviewer reads: how many recorded calls would be decided differently, and which.
 *
 * @typedef {{ action: string, reason?: string }} Verdict
 * @typedef {{ agent: string, tool_name: string, tool_input: { command?: unknown }, now: Verdict, against?: Verdict }} Call
 * @param {{ events: number, changed: Call[], against?: Record<string, number> }} found
 * @param {boolean} isCompared
 */
export function commentOn({ events, changed, against = {} }, isCompared) {
  if (!isCompared)
    return `${MARK}\n**Tenterhook**: the base branch has no such configuration to compare with.\n`;
  const { newly_stopped = 0, newly_let_through = 0, other_reason = 0 } = against;
  const differing = changed.filter(
    (call) => call.against !== undefined && call.against.action !== call.now.action,
  );
  const head = `${MARK}\n**Tenterhook**: of ${events} recorded calls, ${newly_stopped} newly stopped, ${newly_let_through} newly let through, ${other_reason} for another reason.\n`;
  if (differing.length === 0) return head;
  const rows = differing.slice(0, MOST_SHOWN).map(({ agent, tool_name, tool_input, now, against: then }) => {
    const call = `${tool_name} ${tool_input?.command ?? JSON.stringify(tool_input)}`;
    return `| ${cell(call)} | ${cell(agent)} | ${cell(then?.action ?? "")} | ${cell(now.action)} | ${cell(now.reason ?? "")} |`;
  });
  const more =
    differing.length > MOST_SHOWN ? `\n${differing.length - MOST_SHOWN} more: \`tenterhook replay\`.\n` : "";
  return `${head}\n| call | agent | before | now | why |\n| --- | --- | --- | --- | --- |\n${rows.join("\n")}\n${more}`;
}

/** @param {string} text */
function cell(text) {
  const line = text.replaceAll(/\s+/g, " ");
  const short = line.length > LONGEST_CALL ? `${line.slice(0, LONGEST_CALL)}…` : line;
  return short.replaceAll(/[\\`*_[\]<>|@#]/g, "\\$&");
}

/** @param {string} text */
function comment(text) {
  const body = join(mkdtempSync(join(tmpdir(), "tenterhook-")), "comment.md");
  writeFileSync(body, text);
  const edited = run("gh", ["pr", "comment", PULL_REQUEST, "--edit-last", "--body-file", body], "pipe");
  return edited.status === 0
    ? 0
    : run("gh", ["pr", "comment", PULL_REQUEST, "--body-file", body], "inherit").status;
}

/** @param {readonly string[]} args */
function tenterhook(args) {
  return run(...program(args), "inherit").status;
}

/**
 * @param {readonly string[]} args
 * @returns {[file: string, args: readonly string[]]}
 */
function program(args) {
  if (TENTERHOOK_PROGRAM !== undefined) return [TENTERHOOK_PROGRAM, args];
  const own = join("node_modules", ".bin", "tenterhook");
  if (existsSync(own)) return [own, args];
  return ["npx", ["--yes", `tenterhook@${TENTERHOOK_VERSION}`, ...args]];
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {"pipe" | "inherit"} stdout
 */
function run(file, args, stdout) {
  const {
    status,
    stdout: text,
    error,
  } = spawnSync(file, args, {
    encoding: "utf8",
    stdio: ["ignore", stdout, "inherit"],
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error) console.error(`${file}: ${error.message}`);
  return { status: status ?? 1, stdout: text ?? "" };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const step = STEPS[process.argv[2] ?? ""];
  if (step === undefined) throw new Error(`Steps: ${Object.keys(STEPS).join(", ")}.`);
  process.exitCode = step();
}
