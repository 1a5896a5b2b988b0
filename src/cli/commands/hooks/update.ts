import type { CommandRun } from "../../command-line/command.ts";
import { type Taken, takePolicy } from "./update/take-policy.ts";
import { chosenPolicies } from "./update/used-policies.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json } = invocation;
  const policies = await chosenPolicies(invocation);
  if (policies.length === 0 && !json)
    screen.print(
      "No policy is used here. tenterhook add git+https://HOST/PATH.git#REVISION, or npm:NAME@VERSION, names one.",
    );
  const done: Taken[] = [];
  for (const policy of policies) done.push(await takePolicy(policy, invocation));
  if (json) screen.json({ policies: done });
  else if (done.some(({ result }, at) => result === "updated" && policies[at]?.needsTrust === true))
    screen.print("  tenterhook trust   lets the changed policy take effect in this project");
  const isOpen = done.some(({ result }) => result === "available" || result === "left");
  return isOpen ? 1 : undefined;
};
