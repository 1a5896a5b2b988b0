import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { DENIED, decidedByDaemon, PUSH, project, wasStarted } from "./support/daemon-by-call.ts";
import { call } from "./support/served-project.ts";

describe("the daemon that decides calls", () => {
  it("is started by the first call, and decides the next", async () => {
    const made = await project();
    expect(await call(made, PUSH)).toEqual(DENIED);
    await decidedByDaemon(made);
    // It decides calls before its database is open.
    await eventually(async () => {
      const { stdout } = await made.run(["daemon", "status", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ running: true, started_by: "call" });
    });
    expect((await made.run(["daemon", "status"])).stdout).toContain("started when it was needed, ");
    delete made.environment.TENTERHOOK_DAEMON;
    expect((await made.run(["status"])).stdout).not.toContain("starts its own process");
  });

  it("loads no code that the agent's environment names for Node", async () => {
    const made = await project();
    const loaded = join(made.folder, "loaded");
    const code = made.write(
      "../loads.cjs",
      `if (process.argv.includes("--until-idle")) require("node:fs").writeFileSync(${JSON.stringify(loaded)}, "");`,
    );
    const environment = { ...made.environment, NODE_OPTIONS: `--require=${code} --max-old-space-size=4096` };
    expect(await call({ ...made, environment }, PUSH)).toEqual(DENIED);
    await decidedByDaemon(made);
    expect(existsSync(loaded)).toBe(false);
  });

  it("is stopped for good by one command, and started again after another", async () => {
    const made = await project();
    made.write("../config/tenterhook/hooks.yaml", "# mine\nhooks: { definitions: [] } # none\n");
    await made.run(["daemon", "start"]);
    const { stdout, code } = await made.run(["daemon", "stop", "--for-good"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("The daemon has stopped.")]);
    const file = join(made.folder, "config/tenterhook/hooks.yaml");
    expect(readFileSync(file, "utf8")).toBe("# mine\nhooks: { definitions: [] } # none\ndaemon: false\n");
    expect(await call(made, PUSH)).toEqual(DENIED);
    expect(wasStarted(made)).toBe(false);
    await made.run(["daemon", "start"]);
    expect(readFileSync(file, "utf8")).toBe("# mine\nhooks: { definitions: [] } # none\n");
    expect(await call(made, PUSH)).toEqual(DENIED);
    await decidedByDaemon(made);
  });
});
