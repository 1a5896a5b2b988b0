import { expect, it, onTestFinished } from "vitest";
import { startCli } from "../cli/support/run-cli.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

it("a daemon that was started without the database starts again with it when a worker comes", async () => {
  const { environment, project, work } = await newFleet(server);
  const { TENTERHOOK_DATABASE_URL: url, ...without } = environment;
  const daemon = (env: NodeJS.ProcessEnv, ...args: readonly string[]) =>
    startCli(project.cwd, env, ["daemon", ...args, "--json"]);
  expect((await daemon(without, "start")).code).toBe(0);
  onTestFinished(async () => void (await daemon(environment, "stop")));
  const before = JSON.parse((await daemon(without, "status")).stdout);
  expect(before.database).toBeUndefined();
  const worker = await work();
  expect(worker.said()).toContain(
    "The daemon was started without this database; it has started again, with it.",
  );
  const after = JSON.parse((await daemon(without, "status")).stdout);
  expect(after).toMatchObject({ started_by: "command", database: expect.anything() });
  expect(after.pid).not.toBe(before.pid);
  expect(url).toContain("postgres://");
});
