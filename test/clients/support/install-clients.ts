import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The version the tests are written for. */
const CLAUDE = "2.1.325";
const PACKAGES = "node_modules/@anthropic-ai";
const MOST_MILLISECONDS = 9 * 60_000;

/** Where the programs are installed, outside of the repository: once for all runs. */
const FOLDER =
  process.env.TENTERHOOK_CLIENTS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tenterhook-clients");

/** The real Claude Code. It is a program of its own, so that no install script is needed. */
export const CLAUDE_PROGRAM = programIn(FOLDER);

/** Installs what is missing, before the tests. */
export default function installClients(): void {
  installClaude(FOLDER);
}

/**
 * Installs Claude Code into a folder, unless it is there in the version the tests are written for.
 *
 * @throws Error that says what could not be installed, why, and what else to do.
 */
export function installClaude(folder: string, environment: NodeJS.ProcessEnv = process.env): void {
  if (isThere(folder)) return;
  const what = `@anthropic-ai/claude-code@${CLAUDE}`;
  const failed = (why: string, cause?: unknown): Error =>
    new Error(
      `${what} could not be installed into ${folder}: ${why} These tests run on the real program: install it there by hand, or name a folder that has it in TENTERHOOK_CLIENTS.`,
      { cause },
    );
  try {
    mkdirSync(folder, { recursive: true });
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
    execFileSync("npm", ["install", ...quiet, "--prefix", folder, what], {
      env: environment,
      stdio: ["ignore", "inherit", "pipe"],
      timeout: MOST_MILLISECONDS,
    });
  } catch (error) {
    throw failed(reasonOf(error), error);
  }
  if (!isThere(folder))
    throw failed(`npm installed no program for ${process.platform}-${process.arch} in that version.`);
}

function programIn(folder: string): string {
  return join(folder, PACKAGES, `claude-code-${process.platform}-${process.arch}`, "claude");
}

function isThere(folder: string): boolean {
  try {
    const manifest = readFileSync(join(folder, PACKAGES, "claude-code/package.json"), "utf8");
    return JSON.parse(manifest).version === CLAUDE && existsSync(programIn(folder));
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  const [first] = said.split("\n").filter((line) => line.startsWith("npm error") && !/ code /.test(line));
  if (first !== undefined) return `${first}.`;
  return `${error instanceof Error ? (error.message.split("\n")[0] ?? "") : error}.`;
}
