import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { monitorClient } from "../../../src/monitor/client.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { membershipFile } from "../../../src/monitor/team/membership.ts";
import { newProject } from "../../cli/support/project.ts";
import { eventually, processesNamed, processesWith } from "../../support/processes.ts";
import { projectDaemon } from "../support/test-daemon.ts";
import { certificates } from "./support/certificates.ts";
import { serve } from "./support/serve.ts";
import { fileWith, tokensOf } from "./support/served.ts";

it("a token is in one file of its user's alone, and in no output, log, process list or database", async () => {
  const tls = certificates();
  const [team, laptop] = [newProject(), newProject()];
  const [reporter = "", person = ""] = await tokensOf(team, "reporter", "person");
  const server = await serve(team, tls);
  await projectDaemon(laptop, { lookMilliseconds: 50 });
  // On standard input, as a person pastes it.
  const joined = await laptop.start(
    ["daemon", "join", server.url, "--name", "laptop", "--ca", tls.caFile],
    `${reporter}\n`,
  );
  const outputs = [joined.stdout, joined.stderr];
  if (joined.code !== 0) {
    // In an agent's shell the program itself does not count as started by a person.
    const file = fileWith(laptop, "token", reporter);
    const again = await laptop.run([
      "monitor",
      "join",
      server.url,
      "--name",
      "laptop",
      "--token-file",
      file,
      "--ca",
      tls.caFile,
    ]);
    expect(again.code).toBe(0);
    writeFileSync(file, "");
  }
  appendToSpool(
    { type: "agent:turn", agent_id: "worker", prompt: `My token is ${person}.` },
    laptop.environment,
  );
  await eventually(async () => expect(await monitorClient(team.environment).agents()).toHaveLength(1));
  for (const args of [
    ["daemon", "token"],
    ["daemon", "token", "--json"],
    ["daemon", "status", "--json"],
    ["daemon", "logs"],
    ["status", "--json"],
  ])
    for (const one of [team, laptop]) {
      const { stdout, stderr } = await one.run(args);
      outputs.push(stdout, stderr);
    }
  outputs.push(server.printed());
  for (const secret of [reporter, person]) {
    const end = secret.slice(-43);
    expect(outputs.filter((text) => text.includes(end))).toEqual([]);
    expect([processesNamed(end), processesWith(end)]).toEqual([[], []]);
    expect([team, laptop].flatMap(({ folder }) => filesWith(end, folder))).toEqual(
      secret === reporter ? [membershipFile(laptop.environment)] : [],
    );
  }
  expect(statSync(membershipFile(laptop.environment)).mode & 0o777).toBe(0o600);
  const left = await laptop.run(["daemon", "leave"]);
  expect(left.code).toBe(0);
  expect(filesWith(reporter.slice(-43), laptop.folder)).toEqual([]);
});

it("a server that is not who it says gets no token", async () => {
  const [tls, other] = [certificates(), certificates()];
  const [team, laptop] = [newProject(), newProject()];
  const [token = ""] = await tokensOf(team, "reporter");
  const { url } = await serve(team, tls);
  const file = fileWith(laptop, "token", token);
  for (const trust of [[], ["--ca", other.caFile]]) {
    const { code, stderr } = await laptop.run(["daemon", "join", url, "--token-file", file, ...trust]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("certificate")]);
  }
  expect(filesIn(laptop.folder).filter((one) => one.endsWith("team.json"))).toEqual([]);
});

it.each([
  ["an address that others reach, without TLS", ["daemon", "serve", "--listen", "0.0.0.0:0"], "needs TLS"],
  [
    "a certificate without its key",
    ["daemon", "serve", "--listen", "127.0.0.1:0", "--tls-cert", "package.json"],
    "needs its key",
  ],
  ["no address", ["daemon", "serve"], "--listen needs an address"],
  ["joining in the clear", ["daemon", "join", "http://monitor.example.com:7443"], "needs https"],
  ["a token on the command line", ["daemon", "join", "https://monitor.example.com", "thk_abc"], "no token"],
  ["a token in the address", ["daemon", "join", "https://thk_abc@monitor.example.com"], "no token"],
  [
    "a token that is none",
    ["daemon", "join", "https://localhost:1", "--token-file", "package.json"],
    "That is not a token",
  ],
  [
    "a role that does not exist",
    ["daemon", "token", "create", "--role", "admin"],
    "reporter, person, viewer",
  ],
  [
    "an end that is no time",
    ["daemon", "token", "create", "--role", "viewer", "--expires", "soon"],
    "is not a time",
  ],
] as const)("%s is refused with what to do instead", async (_what, args, message) => {
  const project = newProject();
  project.write("package.json", "{}");
  const { code, stderr } = await project.run(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

/** The files that hold a text. Some are written anew meanwhile: what is gone when it is read holds nothing. */
function filesWith(text: string, folder: string): readonly string[] {
  return filesIn(folder).filter((file) => {
    try {
      return readFileSync(file).includes(text);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
      throw error;
    }
  });
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
