import { chownSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { startDaemon } from "../../src/monitor/daemon/daemon.ts";
import { failureIn, failureText, logEntry } from "../../src/monitor/daemon/log-text.ts";
import { daemonPlace, mustBeOwn } from "../../src/monitor/report/daemon-place.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { notRoot } from "../support/not-here.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testDaemon } from "./support/test-daemon.ts";

describe("the daemon's files", () => {
  it("are for this user alone", async () => {
    const { place } = await testDaemon();
    expect((statSync(place.folder).mode & 0o777).toString(8)).toBe("700");
    for (const file of [place.socket, place.token, place.info, place.database])
      expect(`${file} ${(statSync(file).mode & 0o777).toString(8)}`).toBe(`${file} 600`);
  });

  it("work where the state folder has a very long name", async () => {
    const environment = { XDG_STATE_HOME: join(temporaryFolder(), "x".repeat(120)) };
    const { info } = await testDaemon({ environment });
    expect(info.socket.length).toBeLessThan(104);
    expect(await monitorClient(environment).info()).toMatchObject({ pid: process.pid });
  });

  it.each([
    ["a plain file", (path: string) => writeFileSync(path, ""), "", " is not a folder."],
    [
      "a folder below a plain file",
      (path: string) => writeFileSync(path, ""),
      "/in",
      "/in can't be read: ENOTDIR",
    ],
    ["a link", (path: string) => symlinkSync(tmpdir(), path), "", " is not a folder."],
  ])("are not looked for in %s", (_name, make, below, problem) => {
    const path = join(temporaryFolder(), "monitor");
    make(path);
    expect(() => mustBeOwn(`${path}${below}`)).toThrow(`${path}${problem}`);
  });

  it("are not looked for in another user's folder", ({ skip }) => {
    skip(notRoot !== undefined, notRoot);
    const path = temporaryFolder();
    chownSync(path, 1234, 1234);
    expect(() => mustBeOwn(path)).toThrow(`${path} belongs to another user.`);
  });

  it("belong to one daemon", async () => {
    const { environment } = await testDaemon();
    await expect(
      startDaemon({
        openStore: sqliteMonitor,
        settingsFor: async () => ({}),
        carryOut: () => undefined,
        environment,
        log: () => undefined,
      }),
    ).rejects.toThrow("Another process is the monitor's daemon.");
    expect(await monitorClient(environment).info()).toMatchObject({ pid: process.pid });
  });
});
it("a daemon that finds no room on the disk names its folder and the way out", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  await expect(testDaemon({ environment, openStore: () => Promise.reject(full) })).rejects.toMatchObject({
    code: "store_failed",
    message: `${daemonPlace(environment).folder} can't be written: ENOSPC: no space left on device, write.`,
    hint: "Make room on the disk, then try again.",
  });
});
it("why a daemon has ended is found in its log, also when the error has a code of its own", () => {
  const error = Object.assign(new Error("listen failed"), {
    stack: "Error [ERR_SOCKET]: listen failed\n  at x",
  });
  const time = "2026-01-01T00:00:00.000Z";
  const log = logEntry(`failed: ${failureText(error)}`, time);
  expect(failureIn(log, time)).toEqual({ code: "Error", message: "listen failed" });
});
