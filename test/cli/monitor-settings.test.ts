import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingsIn } from "../../src/cli/commands/monitor/daemon/foreground.ts";
import { eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function user(config: string) {
  const home = temporaryFolder();
  const configFolder = join(home, "config", "tenterhook");
  mkdirSync(configFolder, { recursive: true });
  writeFileSync(join(configFolder, "hooks.yaml"), config);
  const environment = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
  };
  const problems: unknown[] = [];
  return { home, problems, settingsFor: settingsIn(environment, (error) => problems.push(error)) };
}

describe("the daemon's settings for an agent", () => {
  it("are those in force in its folder, also when the folder has been deleted", async () => {
    const { home, settingsFor, problems } = user("monitor: { on_idle: done }");
    expect(await settingsFor(home)).toEqual({ on_idle: "done" });
    expect(await settingsFor(join(home, "deleted", "folder"))).toEqual({ on_idle: "done" });
    expect(problems).toEqual([]);
  });

  it("are read once for many agents in one folder, and again when some time has gone by", async () => {
    const { home, settingsFor } = user("monitor: { on_idle: done }");
    expect(settingsFor(home)).toBe(settingsFor(home));
    writeFileSync(join(home, "config", "tenterhook", "hooks.yaml"), "monitor: { on_idle: fail }");
    await eventually(async () => expect(await settingsFor(home)).toEqual({ on_idle: "fail" }));
  });

  it("are empty when the configuration can't be read", async () => {
    const { home, settingsFor } = user("monitor: [");
    expect(await settingsFor(home)).toEqual({});
  });
});
