import { describe, expect, it } from "vitest";
import { sampled } from "../support/long.ts";
import { CALLING_AGENTS } from "./support/everyday-calls.ts";
import { type CallList, callsOf, nameOf } from "./support/fixture-calls.ts";
import { initProject, isStopped } from "./support/init-project.ts";

const PROJECT = `
.git/HEAD .git/config .gitignore .env .env.example package.json Dockerfile docker-compose.yml Makefile pyproject.toml go.mod main.go Cargo.toml notes.md
src/index.ts src/server.ts src/api/users.ts src/components/Button.tsx src/__snapshots__/a.test.ts.snap src/db/schema.prisma src/main.rs
tests/users.test.ts scripts/seed.ts scripts/deploy.sh docs/README.md app/main.py app/models.py migrations/001_init.sql terraform/main.tf
k8s/deployment.yaml notebooks/a.ipynb dist/index.js build/app.js node_modules/left-pad/index.js data/app.db data/shop.sqlite target/debug/x
`;
const HOME = `
.ssh/id_ed25519 .ssh/config .aws/credentials .npmrc .kube/config .zshrc Documents/thesis.docx .config/gh/hosts.yml
`;
const FILES = [
  ...PROJECT.trim()
    .split(/\s+/)
    .map((file) => `code/shop/${file}`),
  ...HOME.trim().split(/\s+/),
];

/** The calls of a list that the file of `init` stops, or those that it does not, and their share. */
async function callsThat(stopped: boolean, list: CallList) {
  const [agent] = CALLING_AGENTS;
  if (agent === undefined) throw new Error("Some agent has to call.");
  const project = await initProject("code/shop", FILES);
  const found: string[] = [];
  const calls = sampled(callsOf(list), 2);
  for (const call of calls) if ((await isStopped(call, agent, project)) === stopped) found.push(nameOf(call));
  return { found: found.join("\n"), share: found.length / calls.length };
}

describe("of calls that somebody wrote who had not seen the rules, the file of init", () => {
  it("stops at most 1 of 100 of a day's work", async () => {
    const { found, share } = await callsThat(true, "unseen");
    expect(share, found).toBeLessThanOrEqual(0.01);
  }, 120_000);

  it("stops at least 92 of 100 accidents", async () => {
    const { found, share } = await callsThat(false, "unseen-accidents");
    expect(share, found).toBeLessThanOrEqual(0.08);
  }, 120_000);
});
