import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { monitorClient } from "../../../src/monitor/client.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { newProject, type Project } from "../../cli/support/project.ts";
import { runCli } from "../../cli/support/run-cli.ts";
import { ROOT } from "../../repository/support/files.ts";
import { freePort } from "../../support/free-port.ts";
import { postgresServer } from "../../support/postgres.ts";
import { postgresProgram } from "../../support/postgres-databases.ts";
import { eventually, processesNamed } from "../../support/processes.ts";
import { projectDaemon } from "../support/test-daemon.ts";
import { hookAt } from "../support/waiting-hook.ts";
import { certificates } from "./support/certificates.ts";
import { askServer, fileWith, startProgram, tokensOf } from "./support/served.ts";
import { permission } from "./support/team.ts";

const server = await postgresServer();

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const SERVICES: Readonly<Record<"database" | "monitor" | "worker", Service>> = parse(
  readFileSync(join(ROOT, "examples/team/compose.yaml"), "utf8"),
).services;

/** The variables of a service, with what `.env` says, and with a local server for the database's address. */
function variablesOf({ environment }: Service, database: string, dotEnv: Readonly<Record<string, string>>) {
  const filled = Object.entries(environment).map(([name, value]) => {
    const text = value.replaceAll(/\$\{(\w+):([?-])([^}]*)\}/g, (_, key: string, kind, more) => {
      if (dotEnv[key] === undefined && kind === "?") throw new Error(`${key}: ${more}`);
      return dotEnv[key] ?? more;
    });
    return [name, text.replace("postgres://tenterhook@database:5432/tenterhook", database)];
  });
  return Object.fromEntries(filled);
}

/** The command of a service with the built program, and with what its ports and volumes stand for. */
function commandOf({ command }: Service, places: Readonly<Record<string, string>> = {}): readonly string[] {
  const [npx, yes, name, ...args] = command;
  expect([npx, yes, name]).toEqual(["npx", "--yes", "tenterhook"]);
  return args.map((one) => places[one] ?? one);
}

/** A person's own file: models are asked without questions. */
function unasked({ folder }: Project): void {
  mkdirSync(join(folder, "config/tenterhook"), { recursive: true });
  writeFileSync(join(folder, "config/tenterhook/hooks.yaml"), "permissions: { mode: bypass }");
}

it("the team of the compose file: a machine joins, its question is answered there, and a worker takes a run", async () => {
  const { environment, healthcheck } = SERVICES.database;
  const { POSTGRES_USER: user, POSTGRES_DB: name } = environment;
  for (const one of [SERVICES.monitor, SERVICES.worker])
    expect(one.environment.TENTERHOOK_DATABASE_URL).toBe(`postgres://${user}@database:5432/${name}`);
  const [, ...health] = healthcheck?.test ?? [];
  const reached = ["-h", "127.0.0.1", "-p", String(server.port)];
  execFileSync(postgresProgram(health[0] ?? ""), [...health.slice(1), ...reached]);

  const url = new URL(await server.newDatabase());
  url.password = "";
  const dotEnv = { DATABASE_PASSWORD: server.password };
  expect(() => variablesOf(SERVICES.monitor, url.href, {})).toThrow("DATABASE_PASSWORD: Put it into .env");

  const [team, worker, laptop] = [newProject(), newProject(), newProject()];
  const tls = certificates();
  const [reporter = "", person = ""] = await tokensOf(team, "reporter", "person");
  const address = `127.0.0.1:${await freePort()}`;
  const places = {
    "0.0.0.0:7443": address,
    "/certificates/monitor.pem": tls.cert,
    "/certificates/monitor.key": tls.key,
  };
  const monitor = startProgram(
    team.cwd,
    { ...team.environment, ...variablesOf(SERVICES.monitor, url.href, dotEnv) },
    commandOf(SERVICES.monitor, places),
  );
  await eventually(() => expect(monitor.printed()).toContain(`serves your team at https://${address}`));

  await projectDaemon(laptop, { lookMilliseconds: 50 });
  const joined = await laptop.run([
    ...["daemon", "join", `https://${address}`, "--name", "laptop", "--ca", tls.caFile],
    ...["--token-file", fileWith(laptop, "token", reporter)],
  ]);
  expect(joined).toMatchObject({ code: 0, stderr: "" });
  const prompt = `My token is ${person}.`;
  appendToSpool({ type: "agent:turn", agent_id: "worker", session_id: "s1", prompt }, laptop.environment);
  const { id } = appendToSpool(
    { type: "agent:prompt", agent_id: "worker", session_id: "s1", host: "claude", ...permission() },
    laptop.environment,
  );
  const there = monitorClient(team.environment);
  await eventually(async () =>
    expect(await there.decisions("open")).toMatchObject([{ id, machine: "laptop" }]),
  );
  const waiting = hookAt({ id }, laptop.environment);
  const answered = await askServer(`https://${address}/v1/decisions/${id}/resolve`, {
    ...{ token: person, ca: tls.ca },
    body: { choices: ["allow"] },
  });
  expect(answered).toMatchObject({ status: 200, text: expect.stringContaining('"resolved"') });
  expect(await waiting).toMatchObject({ answer: { allow: true } });

  unasked(worker);
  const variables = { ...worker.environment, ...variablesOf(SERVICES.worker, url.href, dotEnv) };
  const taking = startProgram(worker.cwd, variables, commandOf(SERVICES.worker));
  await eventually(() => expect(taking.printed()).toContain("takes runs"));
  const script = worker.write("script.json", JSON.stringify([{ text: "Hello, team." }]));
  const submitted = await runCli(
    worker.cwd,
    variables,
    ...["fleet", "submit", "Say hello.", "--cwd", worker.cwd, "--model", `scripted:${script}`, "--json"],
  );
  const { run_id: run } = JSON.parse(submitted.stdout);
  await eventually(async () => {
    const { stdout } = await runCli(worker.cwd, variables, "fleet", "status", run, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ run_id: run, state: "done" }] });
  }, 60_000);
  // Nothing of the secrets is in the database, in the list of processes, or in what the services print.
  const dump = execFileSync(postgresProgram("pg_dump"), ["--dbname", url.href], {
    env: { ...process.env, PGPASSWORD: server.password },
    encoding: "utf8",
  });
  expect(dump).toContain("My token is");
  for (const secret of [server.password, reporter.slice(-43), person.slice(-43)]) {
    const texts = { dump, monitor: monitor.printed(), worker: taking.printed() };
    expect(Object.entries(texts).flatMap(([one, text]) => (text.includes(secret) ? one : []))).toEqual([]);
    expect(processesNamed(secret)).toEqual([]);
  }
});
