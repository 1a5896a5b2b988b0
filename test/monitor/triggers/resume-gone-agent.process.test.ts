import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../support/processes.ts";
import { openDecision, RUNNING_AGENT, watched } from "../support/watched-agents.ts";

describe("an agent whose process is gone", () => {
  it.each([
    ["claude", "claude -p --resume s1"],
    ["codex", "codex exec resume s1 -"],
    ["gemini", "gemini --resume s1"],
  ])("is resumed as %s continues a session", async (host, line) => {
    const resume = { on_dead: { action: "resume", message: "Go on, please." } };
    const monitor = watched(resume, [host], RUNNING_AGENT);
    onTestFinished(() => rmSync(join(monitor.folder, "notes")));
    monitor.report("agent:turn", { host });
    monitor.report("agent:gone", { host });
    await (host === "claude" ? monitor.startWithProcesses() : monitor.start());
    await eventually(() => expect(monitor.notes()).toBe(`${line}\nworker\nGo on, please.\n`));
    await eventually(async () => {
      expect(await monitor.status("worker")).toMatchObject({
        state: "starting",
        attempts: { on_dead: { count: 1 } },
      });
    });
    const { pending } = (await monitor.status("worker")) ?? {};
    expect(pending).toBeUndefined();
  });

  it("is resumed by tenterhook sessions resume when it is Tenterhook's own", async () => {
    const monitor = watched({ on_dead: { action: "resume", message: "--go on" } });
    monitor.report("agent:gone", { host: "tenterhook", session_id: "no-such-session" });
    await monitor.startWithProcesses();
    const folder = join(monitor.folder, "state/tenterhook/monitor/resumed");
    await eventually(() => {
      const [log = ""] = readdirSync(folder).filter((name) => name.endsWith(".log"));
      expect(readFileSync(join(folder, log), "utf8")).toContain("No session begins with");
    });
  });

  it("writes to a file that only its user can read", async () => {
    const monitor = watched({ on_dead: "resume" });
    monitor.report("agent:gone");
    await monitor.start();
    const folder = join(monitor.folder, "state/tenterhook/monitor/resumed");
    await eventually(() => expect(monitor.notes()).toContain("worker"));
    const [log = ""] = readdirSync(folder).filter((name) => name.endsWith(".log"));
    await eventually(() => expect(readFileSync(join(folder, log), "utf8")).toBe("I go on.\n"));
    expect((statSync(join(folder, log)).mode & 0o777).toString(8)).toBe("600");
  });

  it("is resumed when a human chooses it", async () => {
    const monitor = watched({ on_dead: "escalate" });
    monitor.report("agent:gone");
    await monitor.start();
    const { id } = await openDecision(monitor);
    await monitor.client.resolve(id, { choices: ["resume"], message: "Try the other door." });
    await eventually(() => expect(monitor.notes()).toContain("worker\nTry the other door.\n"));
  });
});
