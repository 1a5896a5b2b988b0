import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { whoAnswers } from "../../src/monitor/daemon/peer.ts";
import { originOf } from "../../src/monitor/person/origin.ts";
import { agentProcess, reportedFrom } from "../../src/monitor/report/agent-process.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { runProgram } from "../../src/node/process/run-program.ts";
import { shellLine } from "../../src/node/process/start-program.ts";
import { needs } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testDaemon } from "./support/test-daemon.ts";

needs("curl", "perl", "python3");

/** A daemon that looks who answers, and an agent that waits for a human. */
async function waiting(look = whoAnswers) {
  const daemon = await testDaemon({ whoAnswers: look });
  const { environment } = daemon;
  const client = monitorClient(environment);
  const prompt = { prompt_type: "permission", question: { tool_name: "Bash", tool_input: {} } };
  const waits_until = new Date(Date.now() + 60_000).toISOString();
  appendToSpool({ type: "agent:prompt", agent_id: "a1", ...prompt, waits_until }, environment);
  await eventually(async () => expect(await client.decisions("open")).toHaveLength(1));
  const [decision] = await client.decisions("open");
  const state = async () => (await client.decisions("all"))[0]?.state;
  const file = join(temporaryFolder(), "reply");
  const request = `-H "Authorization: Bearer ${daemon.token}" -d '{"choices":["allow"]}' -o ${file} -w '%{http_code}'`;
  const path = `/v1/decisions/${decision?.id}/resolve`;
  return {
    ...daemon,
    state,
    reply: () => JSON.parse(readFileSync(file, "utf8")),
    path,
    /** Answers at the socket. */
    line: `curl -s ${request} --unix-socket ${daemon.place.socket} http://x${path}`,
  };
}

const CLEAN = { PATH: process.env.PATH };
/** As an agent's shell has them. */
const AGENTS = { ...CLEAN, CLAUDECODE: "1" };

/** Runs a program; returns what it wrote. */
async function outputOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv = CLEAN) {
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  return output;
}

/** A program that runs a line, and has the name of an agent. */
function named(name: string): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, '#!/bin/sh\neval "$1"\nexit\n');
  chmodSync(file, 0o755);
  return file;
}

describe("an answer at the daemon's socket", () => {
  it("is taken from a person's process", async () => {
    // Whoever runs the tests may have agents of their own.
    const look: typeof originOf = async (...of) => ({ ...(await originOf(...of)), agents: [] });
    const { line, state } = await waiting((socket, agents) => whoAnswers(socket, agents, { look }));
    // Below the test it would be what the daemon has started.
    await outputOf("setsid", ["-f", "sh", "-c", `${line} > /dev/null`], { ...CLEAN, HOME: "/tmp" });
    await eventually(async () => expect(await state()).toBe("resolved"));
  });

  it("is judged by agents that have only just reported, too", async () => {
    const known: string[][] = [];
    const look: typeof whoAnswers = async (_, agents) => {
      known.push(agents.map(({ agent_id }) => agent_id));
      return { is: "refused", why: "No." };
    };
    const { environment } = await testDaemon({ whoAnswers: look });
    const client = monitorClient(environment);
    await client.info();
    appendToSpool({ type: "agent:start", agent_id: "new", ...agentProcess(process.pid) }, environment);
    expect(await client.standing()).toMatchObject({ is: "refused" });
    expect(known).toEqual([["new"]]);
  });

  it("is refused from what the daemon has started, such as a hook's server", async () => {
    const { line, state, reply } = await waiting();
    expect(await outputOf("sh", ["-c", line])).toBe("403");
    expect(reply().error.message).toContain("was started by the monitor's daemon");
    expect(await state()).toBe("open");
  });

  it("is refused from the program of a hook, whoever has started that", async () => {
    const { line, state, reply } = await waiting();
    await runProgram({
      ...shellLine(line),
      cwd: "/",
      environment: CLEAN,
      signal: AbortSignal.timeout(10_000),
      maxOutputBytes: 1000,
    });
    expect(reply().error.message).toContain("the variable TENTERHOOK_RUN is set");
    expect(await state()).toBe("open");
  });

  it.each([
    ["variables of an agent", (line: string) => outputOf("sh", ["-c", line], AGENTS)],
    [
      "an ancestor with variables of an agent",
      (line: string) =>
        outputOf("sh", ["-c", `env -i PATH="$PATH" ${line}; :`], { ...CLEAN, GEMINI_CLI: "1" }),
    ],
    [
      "an ancestor called claude",
      (line: string) => outputOf(named("claude"), [`env -i PATH="$PATH" ${line}`]),
    ],
    [
      "an ancestor that node runs as codex",
      (line: string) => {
        const file = join(temporaryFolder(), "codex");
        writeFileSync(file, 'process.stdout.write(require("child_process").execSync(process.argv[2]))');
        return outputOf(process.execPath, ["--no-warnings", file, line]);
      },
    ],
  ])("is refused from a process with %s", async (_, run) => {
    const { line, state, reply } = await waiting();
    expect(await run(line)).toBe("403");
    expect(reply().error).toMatchObject({
      code: "not_a_person",
      message: expect.stringContaining("was started by an agent: "),
    });
    expect(await state()).toBe("open");
  });

  it("is refused from an agent, and so is a message to another agent", async () => {
    const { token, place } = await waiting();
    const body = JSON.stringify({ session_id: "s1", message: "Push it." });
    const send = `curl -s -X POST -H 'Authorization: Bearer ${token}' -d '${body}' --unix-socket ${place.socket} http://x/v1/actions/none/message`;
    const reply = JSON.parse(await outputOf("sh", ["-c", send], AGENTS));
    expect(reply.error).toMatchObject({
      code: "not_a_person",
      message: expect.stringContaining("A message must come from a person"),
    });
  });

  it("is refused from what an agent in the monitor has started, and from what it has cut off", async () => {
    const { line, state, reply, environment } = await waiting();
    const agent = spawn("python3", ["-c", AGENT], { env: CLEAN, stdio: ["pipe", "pipe", "inherit"] });
    const { pid = 0 } = agent;
    appendToSpool({ type: "agent:start", agent_id: "a2", ...agentProcess(pid) }, environment);
    const codes = text(agent.stdout);
    agent.stdin.write(`${line}\n`);
    await eventually(() => expect(reply().error.message).toContain(`a2 is process ${pid}`));
    // It goes on when its shell has ended.
    agent.stdin.end(`(while kill -0 $$ 2>/dev/null; do sleep 0.05; done; ${line}) &\n`);
    expect(await codes).toBe("403403");
    expect(reply().error.message).toMatch(/^An answer must come from a person\. Process \d+ /);
    expect(await state()).toBe("open");
  });
});

/** Sends an answer to the daemon's address from this address and port; prints the reply. */
const FROM = `import socket, sys
host, port, own, own_port, path, token = sys.argv[1:]
client = socket.socket()
client.bind((own, int(own_port)))
client.connect((host, int(port)))
body = '{"choices":["allow"]}'
client.sendall(f"POST {path} HTTP/1.1\\r\\nHost: {host}:{port}\\r\\nAuthorization: Bearer {token}\\r\\nConnection: close\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}".encode())
while part := client.recv(1000): print(part.decode(), end="")
`;

it("an agent stays the process that it is, though it says that it has begun again in another one", async () => {
  const { line, state, reply, environment } = await waiting();
  const agent = spawn("python3", ["-c", AGENT], { env: CLEAN, stdio: ["pipe", "pipe", "inherit"] });
  const { pid = 0 } = agent;
  const begun = { type: "agent:start", agent_id: "a2", session_id: "s2" } as const;
  appendToSpool({ ...begun, ...agentProcess(pid) }, environment);
  appendToSpool({ type: "agent:turn", agent_id: "a2", session_id: "s2" }, environment);
  const { from } = reportedFrom(pid);
  const other = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void other.kill());
  for (const session_id of ["s2", "s3"]) {
    appendToSpool({ ...begun, type: "agent:launched", ...agentProcess(other.pid ?? 0), from }, environment);
    appendToSpool({ type: "agent:exit", agent_id: "a2", session_id: "s2", from }, environment);
    appendToSpool({ ...begun, session_id, ...agentProcess(other.pid ?? 0), from }, environment);
  }
  // Not even when nobody knows where that comes from.
  for (const of of [{}, { from: { ...from, processes: [] } }, { from: { ...from, machine: "a namespace" } }])
    appendToSpool({ ...begun, ...agentProcess(other.pid ?? 0), ...of }, environment);
  const codes = text(agent.stdout);
  agent.stdin.end(`${line}\n`);
  expect(await codes).toBe("403");
  expect(reply().error.message).toContain(`a2 is process ${pid}`);
  expect(await state()).toBe("open");
});

describe("an answer at the daemon's address", () => {
  it.each([
    ["a person's process", CLEAN, "127.0.0.1", () => "0"],
    ["an agent's process", AGENTS, "127.0.0.1", () => "0"],
    ["an agent's process at the daemon's own port", AGENTS, "127.0.0.2", (port: string) => port],
  ] as const)("is refused from %s, and the reply says where it is taken", async (_, env, own, ownPort) => {
    const { info, path, token, place, state } = await waiting();
    const { hostname, port } = new URL(info.url);
    const args = [hostname, port, own, ownPort(port), path, token];
    const reply = await outputOf("python3", ["-c", FROM, ...args], env);
    expect(reply).toContain("HTTP/1.1 403");
    expect(reply).toContain("An answer is not taken at this address.");
    expect(reply).toContain(`the socket ${place.socket}`);
    expect(await state()).toBe("open");
  });
});

/** Opens a terminal that has no parent, and runs a line there. */
const TERMINAL = `import os, pty, sys
if os.fork() > 0: os._exit(0)
os.setsid()
pid, terminal = pty.fork()
if pid == 0: os.execvp("sh", ["sh", "-c", sys.argv[1]])
try:
  while os.read(terminal, 1000): pass
except OSError: pass
`;

it.each(["yes", "no"])(
  "whether a terminal that was opened after an agent is the user's, they are asked, once: %s",
  async (said) => {
    const { line, state, reply, environment } = await waiting();
    const client = monitorClient(environment);
    const agent = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void agent.kill());
    appendToSpool({ type: "agent:start", agent_id: "a2", ...agentProcess(agent.pid ?? 0) }, environment);
    const go = join(temporaryFolder(), "go");
    const again = `${line}; while [ ! -e ${go} ] && [ -d ${dirname(go)} ]; do sleep 0.05; done; ${line}`;
    const ended = outputOf("python3", ["-c", TERMINAL, again]);
    await eventually(() => expect(reply().error.hint).toMatch(/ tenterhook answer \w{8} yes$/));
    expect(reply().error.message).toContain("was there only after a2 ");
    const question = (await client.decisions("open")).find(({ source }) => source === "session");
    await client.resolve(question?.id ?? "", { choices: [said] });
    writeFileSync(go, "");
    await ended;
    await eventually(async () => {
      if (said === "yes") expect(await state()).toBe("resolved");
      else expect(reply().error.message).toContain("You have said that this terminal is not yours.");
    });
  },
);

it("no event ends the question about a terminal", async () => {
  const { line, environment } = await waiting();
  const client = monitorClient(environment);
  const agent = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void agent.kill());
  appendToSpool({ type: "agent:start", agent_id: "a2", ...agentProcess(agent.pid ?? 0) }, environment);
  await outputOf("python3", ["-c", TERMINAL, line]);
  const asked = async () => (await client.decisions("all")).find(({ source }) => source === "session");
  await eventually(async () => expect(await asked()).toMatchObject({ state: "open" }));
  const { agent_id = "" } = (await asked()) ?? {};
  appendToSpool({ type: "agent:answer", agent_id, answer: { allow: true } }, environment);
  appendToSpool({ type: "agent:exit", agent_id }, environment);
  expect(await asked()).toMatchObject({ state: "open" });
});

/** Runs each line of its input in a shell, and ends. */
const AGENT =
  "import sys, subprocess\nfor line in sys.stdin: subprocess.run(['sh', '-c', line], stdin=subprocess.DEVNULL)";

describe("the daemon's socket", () => {
  it("needs the token, like its address", async () => {
    const { place } = await testDaemon();
    const line = `curl -s -o /dev/null -w '%{http_code}' --unix-socket ${place.socket} http://x/v1/decisions`;
    expect(await outputOf("sh", ["-c", line])).toBe("401");
  });

  it("asks who answers without the daemon's variables, which an agent may have set", async () => {
    const { line, state } = await waiting();
    const folder = temporaryFolder();
    writeFileSync(join(folder, "Liar.pm"), `print ${process.pid}; CORE::exit(0); 1;`);
    vi.stubEnv("PERL5OPT", `-I${folder} -MLiar`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await outputOf("sh", ["-c", line], AGENTS)).toBe("403");
    expect(await state()).toBe("open");
  });

  it("says which program is missing when it can't see who answers", async () => {
    const { line, state, reply } = await waiting((socket, agents) =>
      whoAnswers(socket, agents, { perl: "/no/perl" }),
    );
    expect(await outputOf("sh", ["-c", line])).toBe("403");
    expect(reply().error.message).toContain("/no/perl, which is missing: install Perl.");
    expect(await state()).toBe("open");
  });
});
