import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runMigrations } from "bullmq";
import { Client } from "pg";
import { expect, onTestFailed, onTestFinished } from "vitest";
import { transcriptsIn } from "../../../src/agent/transcripts/postgres/postgres-store.ts";
import { TRANSCRIPTS } from "../../../src/agent/transcripts/postgres/schema.ts";
import { processScreen } from "../../../src/cli/command-line/screen/screen.ts";
import { workHere } from "../../../src/cli/commands/team/fleet/worker.ts";
import { COMMAND_TABLE } from "../../../src/cli/table/table.ts";
import { FLEET } from "../../../src/fleet/open-fleet.ts";
import { openQueue, type RunQueue } from "../../../src/fleet/queue.ts";
import type { RunOrder, RunStatus } from "../../../src/fleet/run.ts";
import { runsIn } from "../../../src/fleet/status.ts";
import { submitRun } from "../../../src/fleet/submit.ts";
import { databaseAddress } from "../../../src/node/postgres/address.ts";
import { openPostgres } from "../../../src/node/postgres/open-postgres.ts";
import { newProject } from "../../cli/support/project.ts";
import { CLI, type CliResult, inPlace, runCli } from "../../cli/support/run-cli.ts";
import { aPerson } from "../../support/a-person.ts";
import { type PostgresServer, postgresServer } from "../../support/postgres.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";

/** A step of a scripted model that appends a line to a file: what may not be repeated. */
export const appendLine = (line: string, file = "lines.txt") => ({
  tool_calls: [{ name: "Bash", input: { command: `echo ${line} >> ${file}` } }],
});

/** What the user's own file says unless a test says otherwise. */
const UNASKED = { permissions: { mode: "bypass" } };

export interface FleetOptions {
  readonly redis?: string;
  /** The user's own configuration. */
  readonly config?: object;
  /** Default: so long that no worker loses a run because the machine is busy. */
  readonly lease?: string;
}

/** Starts a server for the tests of a file. Its databases have the tables of runs, and those of the queue. */
export async function fleetServer(): Promise<PostgresServer> {
  const server = await postgresServer();
  const tables = await server.newDatabase();
  const address = databaseAddress(tables, "url");
  await (await openPostgres([TRANSCRIPTS, FLEET], { address })).close();
  const client = new Client({ connectionString: tables });
  await client.connect();
  await runMigrations(client, "tenterhook_queue");
  await client.end();
  return { ...server, newDatabase: () => server.newDatabase(tables) };
}

export type Fleet = Awaited<ReturnType<typeof newFleet>>;

/** A project whose runs are in a database of their own. */
export async function newFleet(server: PostgresServer, options: FleetOptions = {}) {
  const { redis, config = UNASKED, lease = "60s" } = options;
  const project = newProject();
  const url = await server.newDatabase();
  const environment: NodeJS.ProcessEnv = {
    ...project.environment,
    TENTERHOOK_DATABASE_URL: url,
    ...(redis === undefined ? {} : { TENTERHOOK_REDIS_URL: redis }),
  };
  mkdirSync(join(project.folder, "config/tenterhook"), { recursive: true });
  writeFileSync(join(project.folder, "config/tenterhook/hooks.yaml"), JSON.stringify(config));
  const address = databaseAddress(url, "url");
  const patience = { patienceMilliseconds: 60_000 };
  const database = await openPostgres([TRANSCRIPTS, FLEET], { address, ...patience });
  const queue: RunQueue = await openQueue(address, redis);
  onTestFinished(async () => {
    await queue.close();
    await database.close();
  });
  let last: readonly RunStatus[] = [];
  const statuses = async (): Promise<readonly RunStatus[]> => {
    last = await runsIn(database);
    return last;
  };
  const outputs: (() => string)[] = [];
  // A test of processes that die explains itself only by what they said.
  onTestFailed(() => {
    const runs = last.map(({ run_id, state, attempts, steps, error }) =>
      [run_id, state, `${attempts} attempts`, `${steps} steps`, error ?? ""].join(" "),
    );
    const workers = outputs.map((said, at) => `worker ${at + 1} said:\n${said()}`);
    process.stderr.write(`${["The runs, when they were last seen:", ...runs, ...workers].join("\n")}\n`);
  });
  return {
    project,
    database,
    queue,
    statuses,
    url,
    environment,
    fleet: (...args: readonly string[]): Promise<CliResult> =>
      runCli(project.cwd, environment, "fleet", ...args),
    script: (name: string, steps: readonly object[]): string =>
      `scripted:${project.write(`${name}.json`, JSON.stringify(steps))}`,
    async submit(order: RunOrder): Promise<string> {
      const queued = await submitRun(database, { cwd: project.cwd, ...order });
      await queue.add(queued);
      return queued.run;
    },
    store: transcriptsIn(database),
    /** Ends the leases of workers that were killed. The next worker takes their runs at its start. */
    async endLeases(): Promise<void> {
      await database.query("UPDATE tenterhook.runs SET lease_until = now() WHERE state = 'running'");
    },
    /** Starts a worker; resolves when it takes runs. */
    async startWorker(
      concurrency = 4,
      variables: NodeJS.ProcessEnv = {},
      options: readonly string[] = [],
    ): Promise<{ readonly child: ChildProcess; readonly said: () => string }> {
      const args = ["fleet", "worker", "--lease", lease, "--concurrency", String(concurrency), ...options];
      const child = spawn(process.execPath, [CLI, ...args], {
        cwd: project.cwd,
        env: { ...environment, ...variables },
        stdio: ["ignore", "pipe", "pipe"],
      });
      endAfterTest(child);
      let text = "";
      const said = (): string => text;
      outputs.push(said);
      const note = (chunk: unknown): void => {
        text += String(chunk);
      };
      for (const stream of [child.stdout, child.stderr]) stream.on("data", note);
      child.on("exit", (code, signal) => note(`[ended with ${code ?? signal}]\n`));
      await eventually(() => expect(text).toContain("takes runs"), 90_000);
      return { child, said };
    },
    /**
     * A worker in this process, for tests in which nobody kills it or tells its process to end: that takes a fifth of the time of a
     * start. Resolves when it takes runs; `end` lets them end.
     */
    async work(
      options: Readonly<Record<string, string>> = {},
      lists: Readonly<Record<string, readonly string[]>> = {},
    ): Promise<{ readonly end: () => Promise<void>; readonly said: () => string }> {
      let text = "";
      const said = (): string => text;
      outputs.push(said);
      const note = {
        write(chunk: string) {
          text += chunk;
        },
      };
      const screen = processScreen(environment, { stdout: note, stderr: note, stdin: {} });
      const ending = new AbortController();
      const given = {
        options: { lease, ...options, ...lists, concurrency: Number(options.concurrency ?? 4) },
        names: ["worker"],
        table: COMMAND_TABLE,
      };
      const from = { cwd: project.cwd, environment, parent: 1, standing: aPerson };
      const invocation = { ...given, ...from, json: false, screen };
      const place = { cwd: project.cwd, environment };
      const working = inPlace(place, () => workHere({ ...invocation, signal: ending.signal }));
      const end = (): Promise<void> => {
        ending.abort();
        return working;
      };
      onTestFinished(end);
      await Promise.race([working, eventually(() => expect(text).toContain("takes runs"))]);
      return { said, end };
    },
    /** Waits until every run is in one of these states. */
    async until(...states: readonly string[]): Promise<readonly RunStatus[]> {
      await eventually(async () => {
        const found = (await statuses()).map(({ state }) => state);
        expect(found.filter((state) => !states.includes(state))).toEqual([]);
      }, 90_000);
      return statuses();
    },
  };
}
