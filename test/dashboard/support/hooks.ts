import { rulesHook } from "../../support/hook-definitions.ts";
import type { Scene } from "./scene.ts";

export const RULE = rulesHook("no-force-push", 'command runs "git push --force" -> deny("Not by force.")\n');

/** A call that the rule stopped, and two that went through. */
export function recordPushes({ record }: Scene): void {
  record([
    {
      minutes: 30,
      agent: "a",
      command: "git push --force origin main",
      action: "deny",
      reason: "Not by force.",
    },
    { minutes: 20, agent: "a", command: "rm -rf build" },
    { minutes: 10, agent: "a", command: "npm test" },
  ]);
}
