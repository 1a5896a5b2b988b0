// Tests of hooks with node:test: what they decide, what an agent does under them, and a store of your own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHooks } from "tenterhook";
import { Agent } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { recordEvents, scriptedModel, storeSuite, testHooks } from "tenterhook/testing";

const set = createHooks();
await set.add({
  name: "no-force-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command runs "git push --force" -> deny("Use --force-with-lease.")',
});

test("a force push is refused, however it is written", async () => {
  const hooks = await testHooks(set); // or the name of a folder or file with a configuration
  for (const line of ["git push --force", "cd web && sudo git push origin main --force"]) {
    const { action, reason, hook } = await hooks.bash(line);
    assert.deepEqual([action, reason, hook], ["deny", "Use --force-with-lease.", "no-force-push"]);
  }
  assert.equal((await hooks.bash("git push --force-with-lease")).action, "continue");
});

test("the agent hears why, and finds another way", async () => {
  const push = (/** @type {string} */ command) => ({ tool_calls: [{ name: "Bash", input: { command } }] });
  const model = scriptedModel([push("git push --force"), { text: "Then I ask you." }]);
  const agent = new Agent({ model, hooks: set, mode: "bypass" });
  const recorded = recordEvents(agent);
  const { text } = await agent.run("Push it.");
  await agent.close();
  assert.equal(text, "Then I ask you.");
  assert.deepEqual(
    recorded.of("PreToolUse").map(({ action }) => action),
    ["deny"],
  );
});

// What every transcript store must do. Try it with your own.
for (const { name, run } of storeSuite(() => memoryStore(), { durable: false })) test(`a store ${name}`, run);
