import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { postgresServer } from "../support/postgres.ts";
import { newProject } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

const server = await postgresServer();

function projectWith(environment: NodeJS.ProcessEnv) {
  const project = newProject();
  const all = { ...project.environment, ...environment };
  return {
    ...project,
    database: (...args: readonly string[]) => runCli(project.cwd, all, "database", ...args),
  };
}

it("database migrate creates and updates the tables, and status tells their versions", async () => {
  const url = await server.newDatabase();
  const project = projectWith({ TENTERHOOK_DATABASE_URL: url });
  const place = `postgres://tester@127.0.0.1:${server.port}/test_1`;
  const before = await project.database("status");
  expect([before.code, before.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^postgres:.*, PostgreSQL \d+.*\n {2}transcripts: not created yet\n[\s\S]*tenterhook fleet database migrate/,
    ),
  ]);
  const migrated = await project.database("migrate");
  expect([migrated.code, migrated.stdout]).toEqual([
    0,
    expect.stringMatching(/^transcripts: created, version \d+\n[\s\S]*is up to date now\.\n$/),
  ]);
  const again = await project.database("migrate", "--json");
  expect(JSON.parse(again.stdout)).toEqual({ database: place, migrated: [] });
  const status = await project.database("status", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({ database: place, current: true });
  for (const { stdout, stderr } of [before, migrated, again, status])
    expect(`${stdout} ${stderr}`).not.toContain(server.password);
});

it("the database is named by the user's own file, and by no project's", async () => {
  const url = await server.newDatabase();
  const project = projectWith({});
  project.write(".tenterhook/hooks.yaml", `monitor:\n  database: ${url}\n`);
  const refused = await project.database("status");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("No database is named.")]);
  mkdirSync(join(project.folder, "config/tenterhook"), { recursive: true });
  writeFileSync(join(project.folder, "config/tenterhook/hooks.yaml"), `monitor:\n  database: ${url}\n`);
  const migrated = await project.database("migrate");
  expect([migrated.stderr, migrated.stdout]).toEqual(["", expect.stringMatching(/is up to date now\.\n$/)]);
});

it.each([
  ["postgres://nobody:hunter2@127.0.0.1:1/none", "can't be reached"],
  ["mysql://root:hunter2@localhost/none", "TENTERHOOK_DATABASE_URL is no address of a PostgreSQL database."],
])("a database that can't be used is a sentence, without the password: %s", async (url, said) => {
  const project = projectWith({ TENTERHOOK_DATABASE_URL: url });
  const { code, stdout, stderr } = await project.database("status", "--debug");
  expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  expect(stdout + stderr).not.toContain("hunter2");
});
