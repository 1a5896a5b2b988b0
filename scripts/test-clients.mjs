// `npm run test:clients [-- --agent codex --agent claude]`: builds, then tests on the real programs of these agents, or
// of all. What else is given goes to Vitest.
import { parseArgs } from "node:util";
import { run } from "./run.mjs";

const { values, positionals } = parseArgs({
  options: { agent: { type: "string", multiple: true } },
  allowPositionals: true,
});
const { agent: agents } = values;
if (agents !== undefined) process.env.TENTERHOOK_CLIENT_NAMES = agents.join(",");
run("node", "scripts/build.mjs");
const folders = agents?.map((name) => `test/clients/${name}/`) ?? [];
run("vitest", "run", "--config", "vitest.clients.config.ts", ...folders, ...positionals);
