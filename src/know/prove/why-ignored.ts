import { writeFileSync } from "node:fs";
import { isHookHandler } from "../../adapters/settings/agent-settings.ts";
import { valueAt } from "../../adapters/settings/json-edit.ts";
import { isRecord, listOf } from "../../core/base/json.ts";
import { otherHooks } from "./diagnose.ts";
import type { Fault } from "./driver.ts";
import { settingsIn } from "./entries.ts";
import type { Proven } from "./proof.ts";
import { runAgent } from "./run-agent.ts";
import { type Scenario, scriptFor } from "./scenarios.ts";
import { inThrowaway } from "./throwaway.ts";
import { configure } from "./try-scenarios.ts";

/** Runs it without the hooks of others, to see whether they are the reason. */
export async function whyIgnored(proven: Proven, scenario: Scenario): Promise<Fault> {
  const { driver, integration, real, onRun } = proven;
  const { title } = integration.table;
  const others = otherHooks(integration, real);
  const plain = {
    why: `Tenterhook decided, and ${title} did not do it`,
    way_out: `Update ${title}, or tell us: this is not what it did when we tried it.`,
  };
  if (others.length === 0) return plain;
  return inThrowaway(proven, async (folder) => {
    configure(folder, [scenario]);
    for (const { file, text } of settingsIn(integration, folder.places))
      if (text !== undefined) writeFileSync(file, JSON.stringify(onlyOurs(valueAt(text, []))));
    onRun(`${scenario.name} without other hooks`);
    const run = await runAgent(proven, scriptFor(driver, [scenario]), folder);
    if (!scenario.obeyed(run)) return plain;
    return {
      why: `another hook keeps ${title} from doing what Tenterhook decided: ${others.join(", ")}`,
      way_out: `Mend its reply, or move it to Tenterhook: tenterhook import ${integration.adapter.name}`,
    };
  });
}

function onlyOurs(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.hooks)) return value;
  const hooks = Object.entries(value.hooks).map(([event, groups]) => [
    event,
    listOf(groups).map((group) =>
      isRecord(group)
        ? { ...group, hooks: listOf(group.hooks).filter((one) => isRecord(one) && isHookHandler(one)) }
        : group,
    ),
  ]);
  return { ...value, hooks: Object.fromEntries(hooks) };
}
