import type { CommandRun } from "../../command-line/command.ts";
import { type Taken, takePolicy } from "./update/take-policy.ts";
import { chosenPolicies } from "./update/used-policies.ts";

const NONE =
  "No policy is used here. tenterhook add git+https://HOST/PATH.git#REVISION, or npm:NAME@VERSION, names one.";

export const run: CommandRun = async (invocation) => {
  const policies = await chosenPolicies(invocation);
  const done: Taken[] = [];
  for (const policy of policies) done.push(await takePolicy(policy, invocation));
  const needsTrust = done.some(({ result }, at) => result === "updated" && policies[at]?.needsTrust === true);
  const isOpen = done.some(({ result }) => result === "available" || result === "left");
  return {
    json: { policies: done },
    blocks: [
      policies.length === 0 && NONE,
      needsTrust && "  tenterhook trust   lets the changed policy take effect in this project",
    ],
    code: isOpen ? 1 : 0,
  };
};
