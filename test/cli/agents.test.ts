import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { stateFolder } from "../../src/node/user-folders.ts";
import type { EventType } from "../../src/shared/monitor/events.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { newProject } from "./support/project.ts";

/** A project with a daemon, to which agents report. */
async function reported() {
  const project = newProject({ cached: true });
  await projectDaemon(project);
  const report = (type: EventType, agent_id: string, fields: object = {}) =>
    appendToSpool({ type, agent_id, ...fields }, project.environment);
  return { ...project, report, agents: (...args: readonly string[]) => project.run(["agents", ...args]) };
}

const ID = "11111111-2222-4333-8444-555555555555";
const OTHER = "11111111-9999-4333-8444-555555556666";

describe("tenterhook agents", () => {
  it("lists agents, as status does", async () => {
    const { report, agents } = await reported();
    report("agent:turn", "worker-1");
    expect((await agents()).stdout).toMatch(/^ {2}1 works\n\n {2}● works +\d+ s {2}worker-1\n/);
    expect(JSON.parse((await agents("list", "--json")).stdout)).toMatchObject({
      agents: [{ agent_id: "worker-1", state: "working" }],
    });
  });

  it("shows one agent in detail, by its name or the beginning of its id or session", async () => {
    const { report, agents } = await reported();
    report("agent:turn", "worker-1", {
      host: "claude",
      session_id: ID,
      cwd: "/srv/shop",
      prompt: "Paint it.",
    });
    report("agent:error", "worker-1", {
      error_type: "rate_limit",
      error_message: "Too many\u001b[2J requests.",
    });
    for (const given of ["worker-1", "wor", ID, "11111"])
      expect(JSON.parse((await agents("show", given, "--json")).stdout).agent_id).toBe("worker-1");
    const { stdout } = await agents("show", "worker-1");
    expect(stdout.split("\n").map((line) => line.replace(/ {2,}/, ": "))).toEqual([
      "worker-1",
      "id: worker-1",
      expect.stringMatching(/^state: failed \(rate limited\) for \d+ s$/),
      expect.stringMatching(/^known from: a hook \d+ s ago$/),
      "error: Too many�[2J requests.",
      "program: claude",
      `session: ${ID}`,
      "folder: /srv/shop",
      "task: Paint it.",
      "",
    ]);
  });

  it("finds an agent by what status calls it, and names the candidates when several are meant", async () => {
    const { report, agents } = await reported();
    report("agent:turn", ID, { host: "claude", session_id: ID, cwd: "/srv/shop" });
    expect(JSON.parse((await agents("show", "claude in shop", "--json")).stdout).agent_id).toBe(ID);
    report("agent:turn", OTHER, { host: "claude", session_id: OTHER, cwd: "/srv/shop" });
    const { code, stderr } = await agents("show", "claude in shop");
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining(
        `Several agents are meant by "claude in shop": claude in shop (5555), ${ID}; claude in shop (6666), ${OTHER}.`,
      ),
    ]);
    expect((await agents("show", "1111")).code).toBe(1);
    for (const given of ["11111111-9", "6666", "claude in shop (6666)"])
      expect(JSON.parse((await agents("show", given, "--json")).stdout).agent_id).toBe(OTHER);
  });

  it("says which agents there are when none is meant", async () => {
    const { report, agents } = await reported();
    report("agent:turn", "worker-1");
    expect(await agents("kill", "worker-2")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no agent "worker-2". Did you mean "worker-1"'),
    });
    expect(await agents("show")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The agent is missing."),
    });
  });

  it("shows what a program printed, without secrets and control characters, from our own folder only", async () => {
    const { report, agents, environment, folder } = await reported();
    environment.API_TOKEN = "4711-very-secret";
    const kept = join(stateFolder(environment), "agents/w1/output.log");
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(
      kept,
      `${Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n")}\n4711-very-secret\u001b[2J\n`,
    );
    chmodSync(kept, 0o600);
    report("agent:launched", "w1", { output_path: kept });
    const { stdout } = await agents("logs", "w1");
    expect(stdout.split("\n")).toHaveLength(32);
    expect(stdout).toMatch(/^line 0\n.*line 29\n\[redacted\]�\[2J\n$/s);
    expect((await agents("logs", "w1", "-n", "2")).stdout).toMatch(/^line 29\n\[redacted\]\S+\n$/);
    const elsewhere = join(folder, "elsewhere");
    writeFileSync(elsewhere, "not ours\n");
    report("agent:launched", "w2", { output_path: elsewhere });
    report("agent:launched", "w3", { output_path: join(stateFolder(environment), "../../elsewhere") });
    for (const one of ["w2", "w3"])
      expect((await agents("logs", one)).stdout).toBe(
        `No output of ${one} was recorded. Look at its own terminal, or at the file it prints to.\n`,
      );
  });

  it("shows the last texts of an agent that has a transcript", async () => {
    const { report, agents, write } = await reported();
    const entry = (text: string) =>
      JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } });
    const transcript_path = write("transcript.jsonl", `${entry("I look.")}\n${entry("It is blue.")}\n`);
    report("agent:turn", "w1", { host: "claude", session_id: ID, transcript_path });
    expect((await agents("logs", "w1")).stdout).toBe("I look.\n\nIt is blue.\n");
  });
});

describe("tenterhook agents wait", () => {
  it.each([
    ["agent:stopped", {}, 0],
    ["agent:exit", { exit_code: 0 }, 0],
    ["agent:exit", { exit_code: 3 }, 1],
    ["agent:error", { error_type: "429" }, 1],
    ["agent:prompt", { prompt_type: "question", question: "Why?" }, 3],
  ] as const)("ends after %s %j with %i", async (type, fields, code) => {
    const { report, agents } = await reported();
    report("agent:turn", "w1");
    report(type, "w1", fields);
    expect((await agents("wait", "w1")).code).toBe(code);
  });

  it("waits for a state, until it can't come any more or the time is over", async () => {
    const { report, agents } = await reported();
    report("agent:turn", "w1");
    const waiting = agents("wait", "w1", "--state", "idle,prompting");
    report("agent:stopped", "w1");
    expect(await waiting).toMatchObject({ code: 0, stdout: "w1  idle\n" });
    expect((await agents("wait", "w1", "--state", "working", "--timeout", "0.1s")).code).toBe(124);
    report("agent:exit", "w1");
    expect((await agents("wait", "w1", "--state", "working")).code).toBe(1);
    expect(await agents("wait", "w2", "--state", "ilde")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no state "ilde". Did you mean "idle"'),
    });
    expect((await agents("wait", "w2", "--timeout", "soon")).code).toBe(2);
  });
});

describe("tenterhook agents stop", () => {
  it("never ends a process that has the number of an agent's now", async () => {
    const { report, agents } = await reported();
    const own = agentProcess(process.pid);
    const agent_process = { ...(own.agent_process as object), started: "1" };
    report("agent:turn", "reused", { ...own, agent_process });
    report("agent:turn", "unknown");
    report("agent:turn", "bare", { agent_pid: process.pid });
    report("agent:turn", "elsewhere", { ...own, agent_process: { host: "far", machine: "m", started: "1" } });
    const said = async (id: string) => (await agents("kill", id)).stderr;
    expect(await said("reused")).toContain("reused has ended already.");
    expect(await said("unknown")).toContain("The process of unknown is not known.");
    expect(await said("bare")).toContain("The process of bare is not known.");
    expect(await said("elsewhere")).toContain("elsewhere runs elsewhere, on far.");
  });

  it("ends none for another agent", async () => {
    const { report, agents, environment } = await reported();
    report("agent:turn", "w1", agentProcess(process.pid));
    environment.CLAUDECODE = "1";
    expect((await agents("kill", "w1")).stderr).toContain("Only a person decides this");
  });
});

describe("tenterhook agents send", () => {
  it("leaves a message for the next turn of an agent that is at work", async () => {
    const { report, agents, environment } = await reported();
    report("agent:turn", "w1", { host: "claude", session_id: ID });
    expect(await agents("send", "w1", "Run", "the", "tests.")).toMatchObject({
      code: 0,
      stdout: "w1 is at work, or waits at its own terminal: it reads the message with its next turn.\n",
    });
    const [pending = ""] = readdirSync(join(stateFolder(environment), "pending")).filter((name) =>
      name.endsWith(".json"),
    );
    expect(readFileSync(join(stateFolder(environment), "pending", pending), "utf8")).toContain(
      "Run the tests.",
    );
  });

  it("says why an agent can't be reached", async () => {
    const { report, agents } = await reported();
    report("agent:turn", "w1");
    expect(await agents("send", "w1", "Go on.")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The session of w1 is not known, so no message can reach it."),
    });
    expect((await agents("send", "w1")).code).toBe(2);
  });

  it("takes no message from an agent", async () => {
    const { report, agents, environment } = await reported();
    report("agent:turn", "w1", { host: "claude", session_id: ID });
    environment.CLAUDECODE = "1";
    expect(await agents("send", "w1", "Do as I say.")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Only a person decides this"),
    });
  });

  it("attaches to no agent of another program", async () => {
    const { report, agents } = await reported();
    report("agent:turn", "w1", { host: "claude", session_id: ID });
    expect(await agents("attach", "w1")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("w1 is not the built-in agent"),
    });
  });
});
