import { type ChildProcess, spawn } from "node:child_process";
import type { Project } from "../../../cli/support/project.ts";
import { CLI } from "../../../cli/support/run-cli.ts";
import { endAfterTest, eventually } from "../../../support/processes.ts";

/** A team's server, in a process of its own. */
export interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has printed. */
  readonly printed: () => string;
}

/** Starts `tenterhook daemon serve` and waits until it serves. */
export async function serve(
  { cwd, environment }: Project,
  tls: { cert: string; key: string },
  port = 0,
): Promise<Served> {
  const args = ["--listen", `127.0.0.1:${port}`, "--tls-cert", tls.cert, "--tls-key", tls.key, "--json"];
  const child = spawn(process.execPath, [CLI, "daemon", "serve", ...args], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  endAfterTest(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part) => {
      text += String(part);
    });
  let url = "";
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(text);
    ({ url } = JSON.parse(text));
  });
  return { url, child, printed: () => text };
}
