import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { monitorClient } from "../../../../src/monitor/client.ts";
import { openConnections, readUpTo, sendRequest } from "../../../../src/node/http.ts";
import type { TokenRole } from "../../../../src/shared/monitor/monitor.ts";
import type { Project } from "../../../cli/support/project.ts";
import { CLI } from "../../../cli/support/run-cli.ts";
import { end } from "../../../support/processes.ts";
import { testDaemon } from "../../support/test-daemon.ts";

/** A process that ends with the test at the latest. */
export interface Started {
  readonly child: ChildProcess;
  /** What it has printed. */
  readonly printed: () => string;
  /** Ends it at once. */
  readonly kill: () => Promise<void>;
}

/** Starts `tenterhook …` and lets it run. */
export function startProgram(cwd: string, environment: NodeJS.ProcessEnv, args: readonly string[]): Started {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      text += String(part);
    });
  const kill = (): Promise<void> => end(child);
  onTestFinished(kill);
  return { child, printed: () => text, kill };
}

/** Makes tokens as the user of a machine does, before its daemon serves. */
export async function tokensOf(
  { environment }: Pick<Project, "environment">,
  ...roles: readonly TokenRole[]
) {
  const daemon = await testDaemon({ environment });
  const client = monitorClient(environment);
  const made = [];
  for (const role of roles) made.push((await client.createToken({ role })).token);
  await daemon.close();
  return made;
}

export function fileWith(project: Project, name: string, text: string): string {
  const file = join(project.folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Asks a team's server with a token, as a program does. */
export async function askServer(
  url: string,
  { token, ca, body }: { readonly token: string; readonly ca?: string; readonly body?: object },
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const connections = openConnections(new URL(url), ca);
  try {
    const reply = await sendRequest({
      url: new URL(url),
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(60_000),
      connections,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { bytes } = await readUpTo(reply, 1_000_000);
    return { status: reply.statusCode, text: bytes.toString() };
  } finally {
    connections.destroy();
  }
}
