import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHooks, type Hooks } from "tenterhook";
import { applyConfig, loadConfig } from "tenterhook/config";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPayload } from "../../src/adapters/agents.ts";
import { isRecord } from "../../src/core/base/json.ts";
import { bashCall } from "../support/events.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { trustProject } from "../support/trust-project.ts";
import { CALLING_AGENTS, type Call, type CallingAgent, EVERYDAY, nameOf } from "./support/everyday-calls.ts";
import { runCli, userEnvironment } from "./support/run-cli.ts";

/** What is in the folder of an ordinary project. */
const FILES = `
.git/HEAD .gitignore .env .env.example .env.test .npmrc .yarnrc.yml .nvmrc .claude/settings.json .claude/commands/review.md .github/workflows/ci.yml
package.json package-lock.json tsconfig.json README.md CLAUDE.md Dockerfile docker-compose.yml config.yml config.yml.bak fix.patch y.tar.gz x.zip a notes.txt
src/index.ts src/index.js src/index.js.map src/server.ts src/cart/total.ts src/auth/token.ts src/secrets/rotate.ts src/theme/tokens.json src/hooks/useCart.ts
src/a.snap src/__snapshots__/a.test.ts.snap test/cart.test.ts test/__snapshots__/cart.test.ts.snap dist/index.js coverage/lcov.info logs/dev.log
node_modules/react/package.json node_modules/.bin/tsc packages/api/package.json packages/web/package.json packages/web/dist/index.js packages/chromium/README.md
app/main.py requirements.txt app/__pycache__/main.pyc go.mod cmd/api/main.go Cargo.toml infra/main.tf k8s/dev/api.yaml certs/dev-cert.pem
data/orders.csv data/dev.sqlite notebooks/report.ipynb docs/guide.md scripts/deploy.sh migrations/001_init.sql secrets/api.txt
`;

const MONITOR = "\nmonitor: { on_prompt: { action: answer, wait: 10m } }\n";

/** The hooks of a project with its files there, in which `init` was run, with `more` behind what it wrote. */
async function projectWith(more: string) {
  const folder = temporaryFolder(onTestFinished);
  const cwd = join(folder, "home/project");
  for (const file of FILES.trim().split(/\s+/)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), "x\n");
  }
  const environment = userEnvironment(folder);
  expect((await runCli(cwd, environment, "init", "--yes")).code).toBe(0);
  appendFileSync(join(cwd, ".tenterhook/hooks.yaml"), more);
  mkdirSync(join(folder, "state/tenterhook/monitor"), { recursive: true });
  writeFileSync(join(folder, "state/tenterhook/monitor/token"), "x\n");
  await trustProject(cwd, environment);
  const hooks = createHooks();
  await applyConfig(hooks, await loadConfig({ cwd, environment, managedFile: join(folder, "managed.yaml") }));
  return { hooks, cwd, environment };
}

interface Place {
  readonly hooks: Hooks;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

async function isStopped(call: Call, { payload }: CallingAgent, { hooks, cwd, environment }: Place) {
  const [tool_name, tool_input] = call;
  const text = JSON.stringify({ ...payload, tool_name, tool_input }).replaceAll("$PROJECT", cwd);
  const { event } = await readPayload(text, environment, cwd);
  const input = isRecord(event.tool_input) ? event.tool_input : {};
  const decoded = { cwd, tool_name: String(event.tool_name), tool_input: input };
  const { action } = await hooks.fire(bashCall("", decoded));
  return action === "ask" || action === "deny";
}

const lines = EVERYDAY.shell.map((command): Call => ["Bash", { command }]);

/** What is stopped of the calls of an agent, and how many it made. */
async function stoppedCalls(agent: CallingAgent, place: Place) {
  const calls = [...lines, ...EVERYDAY.tools].flatMap((call, at) => {
    const said = agent.translate(call, at);
    return said === undefined ? [] : [{ name: nameOf(call), said }];
  });
  for (const call of agent.own) calls.push({ name: nameOf(call), said: call });
  const stopped: string[] = [];
  for (const { name, said } of calls) if (await isStopped(said, agent, place)) stopped.push(name);
  return { stopped, count: calls.length };
}

describe("at most one in 200 calls of a day's work is stopped, for a reason", () => {
  it.each([
    ...CALLING_AGENTS.map((agent) => ({ ...agent, file: "the file that init writes", more: "" })),
    ...CALLING_AGENTS.slice(0, 1).map((agent) => ({
      ...agent,
      file: "a monitor section in it",
      more: MONITOR,
    })),
  ])(
    "$title with $file",
    async ({ more, ...agent }) => {
      const { stopped, count } = await stoppedCalls(agent, await projectWith(more));
      expect(count).toBeGreaterThanOrEqual(600);
      expect(stopped.filter((name) => EVERYDAY.stopped[name] === undefined)).toEqual([]);
      expect(stopped.length / count).toBeLessThanOrEqual(1 / 200);
    },
    300_000,
  );
});
