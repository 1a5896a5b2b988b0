import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pathOf } from "../../../scripts/needed-programs.mjs";
import { whoAnswers } from "../../../src/monitor/daemon/peer.ts";
import { originOf } from "../../../src/monitor/person/origin.ts";
import { agentProcess } from "../../../src/monitor/report/agent-process.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { freePort } from "../../support/free-port.ts";
import { needs } from "../../support/needs.ts";
import { end, endProcess, eventually } from "../../support/processes.ts";

import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testDaemon } from "../support/test-daemon.ts";

needs("curl", "perl", "python3", "sshd", "sudo", "tmux", "xterm", "Xvfb");

const CLEAN = { PATH: process.env.PATH, HOME: "/tmp", TERM: "xterm" };

/** Whoever runs the tests may have agents of their own. */
const withThisAgent: typeof originOf = async (pid, known) => {
  const origin = await originOf(pid, known);
  return { ...origin, agents: origin.agents.filter(({ name }) => name === "worker") };
};

/** A daemon, and lines for a shell that ask it who runs them once the agent has started. */
async function asking() {
  const daemon = await testDaemon({
    whoAnswers: (socket, agents) => whoAnswers(socket, agents, { look: withThisAgent }),
  });
  const folder = temporaryFolder();
  const agentStarted = join(folder, "agent-started");
  const file = (name: string) => join(folder, `${name}.json`);
  const ask = (name: string) =>
    `curl -s -X POST -H "Authorization: Bearer ${daemon.token}" --unix-socket ${daemon.place.socket} http://x/v1/standing -o ${file(name)}.part; mv ${file(name)}.part ${file(name)}`;
  return {
    folder,
    ask,
    /** Asks when the agent has started, for what is opened before it. */
    line: (name: string) =>
      `while [ ! -e ${agentStarted} ] && [ -d ${dirname(agentStarted)} ]; do sleep 0.05; done; ${ask(name)}`,
    startAgent: async () => {
      const agent = spawn("sleep", ["600"], { stdio: "ignore" });
      onTestFinished(() => end(agent));
      const { pid = 0 } = agent;
      appendToSpool({ type: "agent:start", agent_id: "worker", ...agentProcess(pid) }, daemon.environment);
      writeFileSync(agentStarted, "");
    },
    answer: async (name: string) => {
      await eventually(() => expect(existsSync(file(name)), name).toBe(true));
      return JSON.parse(readFileSync(file(name), "utf8")).is;
    },
  };
}

/** Starts something that nobody's terminal is above. It ends when what it runs has. */
function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv = CLEAN): void {
  spawnSync("setsid", ["-f", file, ...args], { env, stdio: "ignore" });
}

/** A terminal without a parent, which runs a line. */
const TERMINAL = `import os, pty, sys
if os.fork() > 0: os._exit(0)
os.setsid()
pid, terminal = pty.fork()
if pid == 0: os.execvp("sh", ["sh", "-c", sys.argv[1]])
try:
  while os.read(terminal, 1000): pass
except OSError: pass
`;

type Opens = (line: string) => void;

/** The ways in which a person, or an agent, gets a process of their own. */
function ways(folder: string, port: number) {
  const tmux = (...args: readonly string[]): void =>
    void spawnSync("tmux", ["-S", join(folder, "tmux"), "-f", "/dev/null", ...args], { env: CLEAN });
  onTestFinished(() => tmux("kill-server"));
  tmux("new-session", "-d", "sleep 600");
  const display = `:${port}`;
  const screen = spawn("Xvfb", [display, "-nolisten", "tcp"], { stdio: "ignore" });
  onTestFinished(() => end(screen));
  const ssh = loopbackSsh(folder, port);
  const terminal: Opens = (line) => start("python3", ["-c", TERMINAL, line]);
  return {
    terminal,
    tmux: (line) => tmux("new-window", line),
    ssh,
    sudo: (line) => terminal(`sudo -n sh -c '${line}'`),
    xterm: (line) => start("xterm", ["-e", "sh", "-c", line], { ...CLEAN, DISPLAY: display }),
    orphan: (line) => start("sh", ["-c", line]),
    container: (line) => start("unshare", ["-rpf", "--mount-proc", "sh", "-c", line]),
  } satisfies Readonly<Record<string, Opens>>;
}

/** A server of ssh on loopback, with a key of its own. */
function loopbackSsh(folder: string, port: number): Opens {
  const at = (name: string) => join(folder, name);
  for (const name of ["host", "user"])
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(name)], { env: CLEAN });
  writeFileSync(at("authorized"), readFileSync(at("user.pub")));
  chmodSync(at("authorized"), 0o600);
  mkdirSync("/run/sshd", { recursive: true });
  const settings = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("host")}`,
    `AuthorizedKeysFile ${at("authorized")}`,
    `PidFile ${at("sshd.pid")}`,
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin yes",
  ];
  writeFileSync(at("sshd_config"), `${settings.join("\n")}\n`);
  const run = spawnSync(pathOf({ program: "sshd" }) ?? "", ["-f", at("sshd_config")]);
  expect(run.stderr.toString()).toBe("");
  onTestFinished(() => endProcess(Number(readFileSync(at("sshd.pid"), "utf8"))));
  const to = `${userInfo().username}@127.0.0.1`;
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "ConnectionAttempts=50"];
  return (line) =>
    start("ssh", [
      "-tt",
      "-i",
      at("user"),
      "-p",
      String(port),
      ...options.flatMap((one) => ["-o", one]),
      to,
      line,
    ]);
}

it("real terminals are a person's when they were there before the agent; later ones are asked about", async () => {
  const { folder, line, startAgent, answer } = await asking();
  const opens = ways(folder, await freePort());
  const names = Object.keys(opens);
  for (const [name, open] of Object.entries(opens))
    open(`touch ${folder}/${name}.open; ${line(`old-${name}`)}`);
  await eventually(() =>
    expect(names.filter((name) => !existsSync(join(folder, `${name}.open`)))).toEqual([]),
  );
  await startAgent();
  for (const [name, open] of Object.entries(opens)) open(line(`new-${name}`));
  const said = await Promise.all(
    names.map(async (name) => [name, await answer(`old-${name}`), await answer(`new-${name}`)] as const),
  );
  expect(said).toEqual(names.map((name) => [name, "person", "asked"]));
});

it("nothing that an agent starts or leaves is a person's", async () => {
  const { line, startAgent, answer, folder } = await asking();
  await startAgent();
  const claude = join(folder, "claude");
  writeFileSync(claude, '#!/bin/sh\n"$@"\nexit\n', { mode: 0o755 });
  const below = (...words: readonly string[]) => start(claude, words);
  below("sh", "-c", line("shell"));
  below("sudo", "-n", "sh", "-c", line("sudo"));
  below("python3", "-c", `import pty; pty.spawn(["sh", "-c", ${JSON.stringify(line("pty"))}])`);
  below("env", "-i", "setsid", "-f", "/bin/sh", "-c", `PATH=/usr/bin:/bin; ${line("cleared")}`);
  below("setsid", "-f", "sh", "-c", line("orphan"));
  below("sh", "-c", `(while [ -e /proc/$$ ]; do sleep 0.05; done; ${line("left")}) & exit`);
  const names = ["shell", "sudo", "pty", "cleared", "orphan", "left"];
  const said = await Promise.all(names.map(async (name) => [name, await answer(name)]));
  expect(Object.fromEntries(said)).toEqual({
    shell: "refused",
    sudo: "refused",
    pty: "refused",
    cleared: "refused",
    orphan: "asked",
    left: "asked",
  });
});

it("another user gets no answer at all", async () => {
  const { ask, startAgent, folder } = await asking();
  await startAgent();
  const { status } = spawnSync("su", ["-s", "/bin/sh", "nobody", "-c", ask("other")], { env: CLEAN });
  expect([status, existsSync(join(folder, "other.json"))]).toEqual([1, false]);
});
