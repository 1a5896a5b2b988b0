import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The versions the tests are written for. */
const CLAUDE = "2.1.325";

/** Where the programs are installed, outside of the repository: once for all runs. */
const FOLDER =
  process.env.TENTERHOOK_CLIENTS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tenterhook-clients");

/** The real Claude Code. It is a program of its own, so that no install script is needed. */
export const CLAUDE_PROGRAM = join(
  FOLDER,
  "node_modules/@anthropic-ai",
  `claude-code-${process.platform}-${process.arch}`,
  "claude",
);

/** Installs what is missing. */
export default function installClients(): void {
  if (existsSync(CLAUDE_PROGRAM)) return;
  mkdirSync(FOLDER, { recursive: true });
  const packages = [`@anthropic-ai/claude-code@${CLAUDE}`];
  execFileSync(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", FOLDER, ...packages],
    {
      stdio: "inherit",
    },
  );
}
