import { statSync } from "node:fs";
import { join } from "node:path";
import { readOwnFile } from "../../node/files/own-file.ts";
import { SYSTEM } from "../../node/system.ts";
import { configFolder } from "../../node/user-folders.ts";

const MOST_BYTES = 100_000;
const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|(.*?))\s*$/;

/**
 * The variables of `~/.config/tenterhook/monitor.env`: secrets that the daemon has and agents do not. `problem` when the
 * file is there and does not count. Never throws.
 */
export function monitorVariables(environment: NodeJS.ProcessEnv): {
  readonly variables: Readonly<Record<string, string>>;
  readonly problem?: string;
} {
  const file = join(configFolder(environment), "monitor.env");
  const read = readOwnFile(file, MOST_BYTES);
  if (read.text === undefined)
    return { variables: {}, ...(read.absent ? {} : { problem: `${file} is not used: ${read.reason}.` }) };
  const isShared = SYSTEM.fileModes && (statSync(file).mode & 0o077) !== 0;
  if (isShared)
    return {
      variables: {},
      problem: `${file} is not used: other users may read it. Run chmod 600 on it.`,
    };
  const lines = read.text.split("\n").filter((line) => !/^\s*(?:#|$)/.test(line));
  const pairs = lines.flatMap((line) => {
    const [, name, double, single, plain = ""] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [[name, double ?? single ?? plain] as const];
  });
  const wrong = lines.length - pairs.length;
  return {
    variables: Object.fromEntries(pairs),
    ...(wrong === 0 ? {} : { problem: `${file} has lines that are not NAME=value: ${wrong}.` }),
  };
}

/** The problem of a channel whose secret is not set; nothing when all are. */
export function missingVariable(
  environment: NodeJS.ProcessEnv,
  ...names: readonly (string | undefined)[]
): { readonly problem?: string } {
  const missing = names.find((name) => name !== undefined && !environment[name]);
  if (missing === undefined) return {};
  const file = join(configFolder(environment), "monitor.env");
  const way = `Write ${missing}=… into ${file}, then run tenterhook daemon stop and tenterhook daemon start`;
  return { problem: `The variable ${missing} is not set for the monitor's daemon. ${way}.` };
}
