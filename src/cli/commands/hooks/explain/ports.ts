import { systemClock } from "../../../../core/base/clock.ts";
import type { Ports } from "../../../../core/ports.ts";
import { ruleConditions } from "../../../../handlers/conditions.ts";
import { nodePaths } from "../../../../node/paths.ts";
import { linearRegex } from "../../../../node/regex.ts";
import { nodeRulePorts } from "../../../../node/rule-ports.ts";

/** What matchers need to be asked the way a hook set asks them. */
export function matcherPorts(): Ports {
  return {
    clock: systemClock,
    newId: () => "",
    paths: nodePaths,
    regex: linearRegex,
    conditions: ruleConditions(nodeRulePorts),
  };
}
