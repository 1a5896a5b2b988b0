import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { SERVED_MODELS } from "../../support/model-servers/servers.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { runCli, userEnvironment } from "../support/run-cli.ts";

test.each(SERVED_MODELS)(
  "a run with a model of %s: a call, an answer, and no key for what it runs",
  async (_, { protocol, model, environment }) => {
    const server = await startModelServer(protocol, [
      {
        tool_calls: [{ id: "call_a", name: "Bash", input: { command: "env" } }],
        usage: { input: 200, output: 10 },
      },
      { text: "That is all there is.", usage: { input: 300, output: 20 } },
    ]);
    onTestFinished(() => server.close());
    const folder = temporaryFolder();
    const project = join(folder, "project");
    mkdirSync(join(project, ".git"), { recursive: true });
    mkdirSync(join(folder, "config", "tenterhook"), { recursive: true });
    const settings = { models: { default: model }, permissions: { allow: ["Bash(env)"] } };
    writeFileSync(join(folder, "config", "tenterhook", "hooks.yaml"), JSON.stringify(settings));
    const env = userEnvironment(folder, environment(server));
    const { code, stdout, stderr } = await runCli(project, env, "run", "What is in the environment?");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("● Bash  env\n");
    expect(stdout).not.toContain(server.key);
    expect(stdout).toMatch(/\nThat is all there is\.\n\ndone {2}2 iterations, 500 tokens in, 30 out, /);
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain(server.key);
    expect(stdout.includes("about $0.000")).toBe(!model.startsWith("ollama/"));
  },
);
