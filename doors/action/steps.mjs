// The steps of the action. Each ends with the exit code of the program that it runs.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** Our comment is found again by this. */
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
  if (GITHUB_BASE_REF !== "" && !fetchBase()) {
    console.error(`The base branch ${GITHUB_BASE_REF} can't be read.`);
    return 1;
  }
  const base = baseConfig();
  const against = base === undefined ? [] : ["--against", base];
  const args = ["replay", "--json", "--all", "--config", CONFIG, ...against, SESSIONS];
  const { status, stdout } = run(...program(args), "pipe");
  if (base !== undefined) rmSync(base);
  if (status !== 0) return status;
  const text = commentOn(JSON.parse(stdout), base !== undefined);
  if (GITHUB_STEP_SUMMARY !== undefined) appendFileSync(GITHUB_STEP_SUMMARY, text);
  console.log(text);
  return PULL_REQUEST === "" || GH_TOKEN === "" ? 0 : comment(text);
}

const BASE = `refs/remotes/origin/${GITHUB_BASE_REF}`;

/** A checkout that has its history keeps it. */
function fetchBase() {
  const { stdout } = run("git", ["rev-parse", "--is-shallow-repository"], "pipe");
  const depth = stdout.trim() === "true" ? ["--depth=1"] : [];
  const what = `+refs/heads/${GITHUB_BASE_REF}:${BASE}`;
  return run("git", ["fetch", "--quiet", ...depth, "origin", what], "pipe").status === 0;
}

/** The configuration of the base branch, in a file beside ours for a moment, so that what it names is found. */
function baseConfig() {
  if (GITHUB_BASE_REF === "") return undefined;
  const { status, stdout } = run("git", ["show", `${BASE}:${CONFIG}`], "pipe");
  if (status !== 0) return undefined;
  const file = join(dirname(CONFIG), `base-${randomUUID()}.yaml`);
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
    return `| ${code(call)} | ${cell(agent)} | ${cell(then?.action ?? "")} | ${cell(now.action)} | ${cell(now.reason ?? "")} |`;
  });
  const more =
    differing.length > MOST_SHOWN ? `\n${differing.length - MOST_SHOWN} more: \`tenterhook replay\`.\n` : "";
  return `${head}\n| call | agent | before | now | why |\n| --- | --- | --- | --- | --- |\n${rows.join("\n")}\n${more}`;
}

/** @param {string} text */
function cell(text) {
  const line = text.replaceAll(/\s+/g, " ");
  const short = line.length > LONGEST_CALL ? `${line.slice(0, LONGEST_CALL)}…` : line;
  return short.replaceAll(/[&\\`*_~[\]<>|@#]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * Outside code, `@name` would call somebody, however it is written.
 *
 * @param {string} text
 */
function code(text) {
  return `<code>${cell(text)}</code>`;
}

/** @param {string} text */
function comment(text) {
  const there = run("gh", ["pr", "view", PULL_REQUEST, "--json", "comments"], "pipe");
  if (there.status !== 0) return there.status;
  /** @type {{ comments: { body: string, url: string, viewerDidAuthor: boolean }[] }} */
  const { comments } = JSON.parse(there.stdout);
  const ours = comments.find(({ body, viewerDidAuthor }) => viewerDidAuthor && body.startsWith(MARK));
  const [, id] = /#issuecomment-(\d+)$/.exec(ours?.url ?? "") ?? [];
  const file = join(mkdtempSync(join(tmpdir(), "tenterhook-")), "comment.md");
  writeFileSync(file, text);
  const args =
    id === undefined
      ? ["pr", "comment", PULL_REQUEST, "--body-file", file]
      : [
          "api",
          "--method",
          "PATCH",
          `repos/{owner}/{repo}/issues/comments/${id}`,
          "--field",
          `body=@${file}`,
        ];
  return run("gh", args, "pipe").status;
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
