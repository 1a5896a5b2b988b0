import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it, onTestFinished } from "vitest";
import { openAgent } from "../../../src/cli/commands/agent/run/open-agent.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { userEnvironment } from "../support/run-cli.ts";

it("the agent of a run shortens its conversation and has checkpoints as the configuration says", async () => {
  const folder = temporaryFolder();
  const environment = userEnvironment(folder);
  const project = join(folder, "project");
  const config = join(environment.XDG_CONFIG_HOME ?? "", "tenterhook");
  mkdirSync(project);
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, "hooks.yaml"),
    "compaction: { threshold_tokens: 50, keep_tokens: 40 }\ncheckpoints: { messages: 3 }\n",
  );
  writeFileSync(join(project, "a.txt"), "text ".repeat(100));
  const store = memoryStore();
  const look = ({ tools }: { readonly tools?: readonly unknown[] }) =>
    tools === undefined
      ? { text: "SUMMARY" }
      : { tool_calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
  const { agent, close } = await openAgent({
    folder: project,
    environment,
    signal: new AbortController().signal,
    model: async () => scriptedModel([look, look, look, look, look, { text: "Done." }]),
    report: () => {},
    store,
  });
  onTestFinished(() => close("exit"));
  await agent.run("Look.");
  await close("exit");
  const stored = await store.load(agent.agent_id);
  const activity = await store.activity(agent.agent_id);
  const periodic = activity.filter(
    ({ item }) => item !== undefined && "checkpoint_type" in item && item.checkpoint_type === "periodic",
  );
  expect(stored?.messages.filter((message) => "summary_until" in message).length).toBeGreaterThan(0);
  expect(periodic.length).toBeGreaterThan(0);
});
