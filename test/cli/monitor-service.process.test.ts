import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { launchdPlist, systemdUnit } from "../../src/cli/commands/monitor/daemon/service/service-files.ts";
import { findProgram } from "../../src/node/process/find-program.ts";
import { needs } from "../support/needs.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { newProject, type Project, stopDaemonAfterTest } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const START = {
  command: ["/usr/bin/env", "/opt/my tools/t$1 100%.cjs", 'a"b\\c', "monitor"],
  variables: { PATH: "/bin:/opt/100%/bin", XDG_STATE_HOME: '/home/a b/"state"' },
};

describe("the unit of systemd", () => {
  it("is valid, where systemd can be asked", ({ skip }) => {
    const isThere = findProgram("systemd-analyze", "/", process.env) !== undefined;
    skip(!isThere, "systemd-analyze is not installed.");
    const folder = temporaryFolder();
    const file = join(folder, "tenterhook-monitor.service");
    writeFileSync(file, systemdUnit(START));
    const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--user", file], {
      encoding: "utf8",
      env: { ...process.env, XDG_RUNTIME_DIR: folder, HOME: folder },
    });
    // What it says about other units of this machine does not count.
    const output = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("tenterhook"));
    expect(output).toEqual([]);
  });
});

it("the plist of launchd is valid XML with the command and its variables", () => {
  const plist = launchdPlist("dev.tenterhook.monitor", { ...START, command: ["/bin/a&b", "<c>"] });
  expect(plist).toContain("<string>/bin/a&amp;b</string>\n    <string>&lt;c&gt;</string>");
  expect(plist).toContain("<key>XDG_STATE_HOME</key>");
  const read = "import plistlib, sys; print(plistlib.loads(sys.stdin.buffer.read())['ProgramArguments'])";
  needs("python3");
  const { stdout } = spawnSync("python3", ["-c", read], { input: plist, encoding: "utf8" });
  expect(stdout).toBe("['/bin/a&b', '<c>']\n");
});

describe("tenterhook monitor install-service", () => {
  leaveOut(notLinux);

  /** A project with a systemctl that writes down what it is asked. */
  function serviceProject(systemctl: string): Project {
    const project = newProject();
    const path = project.write(
      "../bin/systemctl",
      `#!/bin/sh\necho "$*" >> ${project.folder}/asked\n${systemctl}\n`,
    );
    project.environment.PATH = `${join(path, "..")}:${process.env.PATH}`;
    stopDaemonAfterTest(project);
    return project;
  }
  const asked = ({ folder }: Project) => readFileSync(join(folder, "asked"), "utf8").trimEnd().split("\n");

  it("writes the unit, and has systemd start it now and at every login", async () => {
    const project = serviceProject("exit 0");
    await project.run(["monitor", "start"]);
    const result = await project.run(["monitor", "install-service"]);
    const file = join(project.folder, "config/systemd/user/tenterhook-monitor.service");
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining("tenterhook-monitor.service") });
    expect(asked(project)).toEqual([
      "--user daemon-reload",
      "--user enable tenterhook-monitor.service",
      "--user restart tenterhook-monitor.service",
    ]);
    const unit = readFileSync(file, "utf8");
    expect(unit).toContain(`ExecStart="${process.execPath}" "${CLI}" "monitor" "start" "--foreground"`);
    expect(unit).toContain(`Environment="XDG_STATE_HOME=${project.folder}/state"`);
    // The service takes the place of the daemon that was running.
    expect(JSON.parse((await project.run(["monitor", "status", "--json"])).stdout)).toEqual({
      running: false,
    });
    // A service that is loaded must be unloaded before launchd takes another one.
    expect(await project.run(["monitor", "install-service"])).toMatchObject({ code: 0 });
    expect(asked(project)[3]).toBe("--user disable --now tenterhook-monitor.service");
    expect(await project.run(["monitor", "uninstall-service"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/was removed\. Hooks decide without it\.\n$/),
    });
    expect(asked(project).at(-1)).toBe("--user disable --now tenterhook-monitor.service");
    expect(existsSync(file)).toBe(false);
    expect(await project.run(["monitor", "uninstall-service"])).toMatchObject({
      code: 0,
      stdout: "The monitor is not installed as a service.\n",
    });
  });

  it("says what systemd said when it can't be started", async () => {
    const project = serviceProject("echo 'Failed to connect to bus' >&2; exit 1");
    expect(await project.run(["monitor", "install-service"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("systemctl --user daemon-reload failed: Failed to connect to bus"),
    });
  });
});
