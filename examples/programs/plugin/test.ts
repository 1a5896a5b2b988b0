// Its test, by tenterhook/testing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHooks } from "tenterhook";
import { testHooks } from "tenterhook/testing";
import plugin from "./index.js";

const hooks = createHooks();
await hooks.use(plugin);
const { bash } = await testHooks(hooks);

test("publishing is refused, however it is written", async () => {
  for (const line of ["npm publish", "cd web && npm publish"])
    assert.equal((await bash(line)).reason, "CI publishes.");
});

test("everyday commands pass", async () => {
  assert.equal((await bash("npm test")).action, "continue");
});
