// A plug-in as an npm package would export it.
import { definePlugin, deny, hook } from "tenterhook";
import { tool } from "tenterhook/agent";
import { z } from "zod";

/** A tool that agents get with the plug-in. */
const today = tool({
  name: "today",
  description: "Says which day it is.",
  input: z.object({}),
  run: () => new Date().toDateString(),
});

export default definePlugin({
  name: "tenterhook-acme",
  hooks: [
    hook("PreToolUse", { name: "office-hours", tools: "deploy" }, () =>
      new Date().getDay() === 6 ? deny("Nobody deploys on Saturdays.") : undefined,
    ),
  ],
  rules: 'command runs "npm publish" -> deny("CI publishes.")',
  packs: ["git-safety"],
  tools: [today],
});
