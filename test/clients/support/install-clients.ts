import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  installPackage,
  isInstalled,
  type PackagedProgram,
  unpackedFolder,
} from "../../support/install-package.ts";

const { platform, arch } = process;

/** The machine's name in the packages of programs that were written in Rust. */
const RUST_TARGET = `${arch === "arm64" ? "aarch64" : "x86_64"}-${platform === "darwin" ? "apple-darwin" : "unknown-linux-musl"}`;

/** The Node of agents that do not run on ours, as a package without an install script. */
const NEW_NODE = {
  package: `node-${platform}-${arch}@24.21.0`,
  program: `node_modules/node-${platform}-${arch}/bin/node`,
};

/** The agents that are tested, by name. */
const CLIENTS = {
  claude: {
    package: "@anthropic-ai/claude-code",
    version: "2.1.327",
    // A program of its own, so that no install script is needed.
    program: `node_modules/@anthropic-ai/claude-code-${platform}-${arch}/claude`,
  },
  codex: {
    package: "@openai/codex",
    version: "0.169.0",
    // The program itself: killing the script around it would leave it running.
    program: `node_modules/@openai/codex-${platform}-${arch}/vendor/${RUST_TARGET}/bin/codex`,
  },
  cursor: {
    package: "@cursor/sdk",
    version: "1.0.32",
    // Cursor's agent needs a newer Node than Tenterhook.
    program: NEW_NODE.program,
    also: [NEW_NODE.package],
  },
  gemini: {
    package: "@google/gemini-cli",
    version: "0.61.0",
    program: "node_modules/@google/gemini-cli/bundle/gemini.js",
  },
  auggie: {
    package: "@augmentcode/auggie",
    version: "0.36.0",
    program: "node_modules/@augmentcode/auggie/augment.mjs",
  },
  copilot: {
    package: "@github/copilot",
    version: "1.0.102",
    // A program of its own, which the package only starts.
    program: `node_modules/@github/copilot-${platform}-${arch}/copilot`,
  },
  opencode: {
    package: `opencode-${platform}-${arch}`,
    version: "1.18.34",
    program: `node_modules/opencode-${platform}-${arch}/bin/opencode`,
  },
  kilo: {
    package: `@kilocode/cli-${platform}-${arch}`,
    version: "7.7.9",
    program: `node_modules/@kilocode/cli-${platform}-${arch}/bin/kilo`,
  },
  cline: {
    package: `@cline/cli-${platform}-${arch}`,
    version: "3.0.65",
    program: `node_modules/@cline/cli-${platform}-${arch}/bin/cline`,
  },
  pi: {
    package: "@earendil-works/pi-coding-agent",
    version: "1.5.2",
    // pi needs a newer Node than Tenterhook.
    program: NEW_NODE.program,
    // Its code mode.
    also: [NEW_NODE.package, "quickjs-wasi@3.6.2"],
    // Not every registry has all that it depends on.
    alone: true,
  },
  qwen: {
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    // Qwen Code needs a newer Node than Tenterhook.
    program: NEW_NODE.program,
    also: [NEW_NODE.package],
  },
} as const satisfies Record<string, PackagedProgram>;

export type ClientName = keyof typeof CLIENTS;

/** Where the programs are installed, outside of the repository: once for all runs. */
const FOLDER =
  process.env.TENTERHOOK_CLIENTS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tenterhook-clients");

/**
 * The real program of an agent.
 *
 * @throws Error when it could not be installed: the tests of this agent fail, those of others run.
 */
export function clientProgram(name: ClientName): string {
  const row: PackagedProgram = CLIENTS[name];
  const program = process.env[variableOf(name)] ?? join(FOLDER, row.program);
  if (existsSync(program)) return program;
  throw new Error(`${program} is not there: what was said at the start of this run tells why.`);
}

/** The variable that names the program of an agent, for machines on which npm has none: `TENTERHOOK_KILO`. */
function variableOf(name: ClientName): string {
  return `TENTERHOOK_${name.toUpperCase()}`;
}

/** The folder of the package of an agent. */
export function clientPackage(name: ClientName): string {
  const row: PackagedProgram = CLIENTS[name];
  return join(FOLDER, row.alone === true ? unpackedFolder(row.package) : join("node_modules", row.package));
}

/** Installs what is missing before the tests: all agents, or those that `npm run test:all -- clients/NAME` names. */
export default function installClients(): void {
  const chosen = process.env.TENTERHOOK_CLIENT_NAMES?.split(",");
  for (const name of chosen ?? Object.keys(CLIENTS)) {
    if (!isClient(name))
      throw new Error(
        `There is no agent ${JSON.stringify(name)}. Agents: ${Object.keys(CLIENTS).join(", ")}.`,
      );
    try {
      installClient(name, FOLDER);
    } catch (error) {
      // Others can be tested all the same.
      console.error(error instanceof Error ? error.message : error);
    }
  }
}

export function isClient(name: string): name is ClientName {
  return Object.hasOwn(CLIENTS, name);
}

/**
 * Installs an agent into a folder, unless it is there in the version the tests are written for.
 *
 * @throws Error that says what could not be installed, why, and what else to do.
 */
export function installClient(
  name: ClientName,
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): void {
  const row: PackagedProgram = CLIENTS[name];
  const program = environment[variableOf(name)];
  if (program === undefined ? isInstalled(row, folder) : existsSync(program)) return;
  try {
    installPackage(row, folder, { environment });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${row.package}@${row.version} could not be installed into ${folder}: ${why} These tests run on the real program: install it there by hand, or name a folder that has it in TENTERHOOK_CLIENTS, or the program itself in ${variableOf(name)}.`,
      { cause },
    );
  }
}
