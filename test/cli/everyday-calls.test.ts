import { describe, expect, it } from "vitest";
import { chosen } from "../support/long.ts";
import { madeOnce } from "../support/made-once.ts";
import { CALLING_AGENTS, type CallingAgent } from "./support/everyday-calls.ts";
import { type Call, callsOf, nameOf, RIGHTLY_STOPPED } from "./support/fixture-calls.ts";
import { type InitProject, initProject, isStopped } from "./support/init-project.ts";

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

/** The calls of an agent: in `npm test` each is made by one of them, for an agent says the same in other words. */
function callsBy(agent: CallingAgent): readonly Call[] {
  const all = callsOf("everyday");
  const place = CALLING_AGENTS.indexOf(agent);
  const own = all.filter((_, at) => at % CALLING_AGENTS.length === place);
  return chosen(own, all);
}

/** What is stopped of the calls of an agent, and how many it made. */
async function stoppedCalls(agent: CallingAgent, place: InitProject) {
  const calls = callsBy(agent).flatMap((call, at) => {
    const said = agent.translate(call, at);
    return said === undefined ? [] : [{ name: nameOf(call), said }];
  });
  for (const call of agent.own) calls.push({ name: nameOf(call), said: call });
  const stopped: string[] = [];
  for (const { name, said } of calls) if (await isStopped(said, agent, place)) stopped.push(name);
  return { stopped, count: calls.length };
}

const PLAIN = { file: "the file that init writes", more: "" };

describe.each([
  // The section only adds a guard: what passes with it passes without.
  { ...PLAIN, agents: chosen(CALLING_AGENTS.slice(1), CALLING_AGENTS) },
  { file: "a monitor section in it", more: MONITOR, agents: CALLING_AGENTS.slice(0, 1) },
])("with $file, no call of a day's work is stopped but for a reason that we know", ({ more, agents }) => {
  const files = FILES.trim()
    .split(/\s+/)
    .map((file) => `project/${file}`);
  const project = madeOnce((atEnd) => initProject("project", files, more, atEnd));

  it.each(agents)("$title", { timeout: 300_000 }, async (agent) => {
    const { stopped, count } = await stoppedCalls(agent, project());
    expect(count).toBeGreaterThanOrEqual(600);
    expect(stopped.filter((name) => !RIGHTLY_STOPPED.has(name))).toEqual([]);
  });
});

it("such reasons stop at most one in 200 calls", () => {
  expect(RIGHTLY_STOPPED.size / callsOf("everyday").length).toBeLessThanOrEqual(1 / 200);
});
