import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { command, entriesIn, fastProject, LIMIT, NO_PUSH, withService } from "./support/fast-project.ts";
import { newProject } from "./support/project.ts";
import { socketOf, stopDaemon } from "./support/served-project.ts";

describe("tenterhook install claude --fast", () => {
  it("has gates and observers ask the daemon, and the rest start the program", LIMIT, async () => {
    const events = ["PreToolUse", "Notification", "SessionStart", "Stop"];
    const all = { type: "inline", matcher: { events }, rules: 'event equals "x" -> context("Never.")' };
    const { project, file, installed, entries } = await fastProject([NO_PUSH, { name: "all", ...all }], {
      started: true,
    });
    expect(installed.stdout).toContain("asks the daemon itself for");
    const { PreToolUse, Notification, SessionStart, Stop } = entries();
    expect([PreToolUse, Notification, SessionStart, Stop].map((one) => one?.type)).toEqual([
      "http",
      "http",
      "command",
      "command",
    ]);
    expect([PreToolUse?.onFailure, Notification?.onFailure]).toEqual(["block", undefined]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const args of [
      ["install", "--fast"],
      ["install", "--scope", "user"],
      ["uninstall", "--scope", "user"],
    ]) {
      const { code, stdout } = await project.run([...args, "claude", "--dry-run"]);
      expect({ args, code }).toEqual({ args, code: 0 });
      expect(stdout).not.toMatch(/[0-9a-f]{64}/);
    }
    const real = join(project.folder, "dotfiles.json");
    renameSync(file, real);
    symlinkSync(real, file);
    const linked = await project.run(["install", "claude", "--fast"]);
    expect(linked.stdout.replaceAll(/\s+/g, " ")).toContain("The file is behind a link, and has a token");
    const here = await project.run(["doctor"]);
    expect(here.stdout).not.toContain("asks the daemon");
    expect(here.stdout).not.toContain("for PreToolUse differently");
    expect((await project.run(["monitor", "stop"])).stdout).toBe(
      "The monitor has stopped. Claude Code: calls are refused until it runs again.\n",
    );
    const away = await project.run(["doctor"]);
    expect(away.stdout.replaceAll(/\s+/g, " ")).toContain(
      "asks the daemon, which does not run: every call is refused.",
    );
    expect((await project.run(["monitor", "uninstall-service"])).stdout).toContain(
      "Claude Code: calls are refused until it runs again.",
    );
    expect((await project.run(["uninstall", "claude", "--scope", "user"])).code).toBe(0);
    expect(existsSync(real)).toBe(false);
  });

  it("keeps asking the daemon after --sync, and starts the program again after install", LIMIT, async () => {
    const { project, entries } = await fastProject([NO_PUSH]);
    const before = entries();
    await project.configure([{ ...NO_PUSH, matcher: { events: ["PreToolUse", "PostToolUse"] } }]);
    expect((await project.run(["install", "--sync"])).code).toBe(0);
    expect(entries().PostToolUse).toMatchObject({ type: "http" });
    expect(entries().PreToolUse).toEqual(before.PreToolUse);
    expect((await project.run(["install", "claude", "--scope", "user"])).code).toBe(0);
    expect(Object.values(entries()).map(({ type }) => type)).not.toContain("http");
  });

  it("gets new entries by --sync while the daemon is away", LIMIT, async () => {
    const { project, file, entries } = await fastProject([NO_PUSH]);
    expect((await project.run(["install", "claude", "--scope", "project"])).code).toBe(0);
    expect(entries().PostToolBatch).toBeUndefined();
    await stopDaemon(project);
    await project.configure([NO_PUSH, command("batch", ["PostToolBatch"], "true")]);
    expect(await project.run(["install", "--sync"])).toMatchObject({ code: 0, stderr: "" });
    expect(entries().PostToolBatch?.type).toBe("http");
    expect(entriesIn(join(project.cwd, ".claude/settings.json")).PostToolBatch?.type).toBe("command");

    rmSync(join(project.folder, "state"), { recursive: true });
    await project.configure([NO_PUSH, command("failures", ["PostToolUseFailure"], "true")]);
    const before = readFileSync(file, "utf8");
    const { code, stdout } = await project.run(["install", "--sync"]);
    expect(code).toBe(1);
    expect(stdout).toContain("claude: .claude/settings.json now calls Tenterhook");
    expect(stdout).toMatch(
      /Not installed: No daemon has run here yet, and \S+ asks one\. Run: tenterhook monitor install-service\.\n/,
    );
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("is refused where the agent, its version, the file or the daemon will not do", LIMIT, async () => {
    const project = withService(newProject());
    await project.configure([NO_PUSH]);
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await project.run(["install", ...args, "--fast"]);
      return [code, stderr.replaceAll(/\s+/g, " ")];
    };
    expect(await refused("codex")).toEqual([2, expect.stringContaining("Codex can't ask the daemon itself")]);
    expect(await refused("claude", "--scope", "project")).toEqual([
      2,
      expect.stringContaining("writes a token, and other people may read these settings."),
    ]);
    expect(await refused("claude")).toEqual([
      1,
      expect.stringContaining("Run: tenterhook monitor install-service."),
    ]);
    await project.run(["monitor", "install-service"]);
    expect(await refused("claude")).toEqual([
      1,
      expect.stringContaining("The monitor's daemon does not answer"),
    ]);
    project.environment.HTTPS_PROXY = "http://proxy.example";
    expect(await refused("claude")).toEqual([2, expect.stringContaining("Add 127.0.0.1 to NO_PROXY")]);
    withService(project, "2.1.240 (Claude Code)");
    expect(await refused("claude")).toEqual([2, expect.stringContaining("does not know onFailure")]);
    withService(project, "Hello");
    expect(await refused("claude")).toEqual([2, expect.stringContaining("claude --version does not show")]);
    rmSync(join(project.folder, "bin/claude"));
    project.environment.PATH = join(process.execPath, "..");
    expect(await refused("claude")).toEqual([2, expect.stringContaining("claude is not on the PATH")]);
    expect(existsSync(join(project.environment.HOME ?? "", ".claude"))).toBe(false);
    expect(existsSync(socketOf(project))).toBe(false);
  });
});
