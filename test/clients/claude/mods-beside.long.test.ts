import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { type ClaudeResult, type ClaudeRun, runClaude } from "../support/claude.ts";
import {
  ALLOWS,
  bash,
  FINE,
  guarded,
  MADE,
  type Mod,
  rewriting,
  runWithMod,
  writeMod,
} from "./support/mods.ts";

interface Harmless {
  readonly mod: Mod;
  readonly run: Partial<ClaudeRun>;
  /** Whether it has done what it is for. */
  effect(result: ClaudeResult, isMade: (name: string) => boolean): boolean;
}

/** What published mods do, in a few lines each. */
const HARMLESS: Readonly<Record<string, Harmless>> = {
  "rewrites a call": {
    mod: { ...rewriting("tool.call", "touch theirs"), "tool.run": "return next(e);" },
    run: { script: [bash("true"), FINE] },
    effect: (_, isMade) => isMade("theirs") && isMade("fine"),
  },
  "has a command, and a store of its own": {
    mod: {
      "session.start":
        'await $.store.set("band", "off"); await $.command.register({ name: "band", description: "Tells" }); return next(e);',
      "command.run":
        'return e.command === "band" ? { text: "The band is " + (await $.store.get("band")) + "." } : next(e);',
    },
    run: { prompt: "/band" },
    effect: ({ messages }) => JSON.stringify(messages.at(-1)).includes("The band is off."),
  },
  "adds to a prompt": {
    mod: { "prompt.submit": 'return next({ ...e, context: [...(e.context ?? []), "Think in metres."] });' },
    run: {},
    effect: ({ lastSent }) => lastSent.includes("Think in metres."),
  },
  "adds to what the model is told at the start": {
    mod: {
      "prompt.compose":
        'const made = await next(e); return { ...made, sections: [...made.sections, { id: "theirs:rule", text: "Write in verse.", scope: "session" }] };',
    },
    run: {},
    effect: ({ requests }) => JSON.stringify(requests).includes("Write in verse."),
  },
  "chooses the model of a subagent": {
    mod: { "agent.spawn": 'return next({ ...e, model: "haiku" });' },
    run: {
      script: [
        [
          [
            "Agent",
            {
              description: "Work",
              prompt: "Below.",
              subagent_type: "general-purpose",
              run_in_background: false,
            },
          ],
        ],
      ],
      subagent: { word: "Below.", script: ["Done below."] },
    },
    effect: ({ requests }) => requests.some(({ body }) => String(body.model).includes("haiku")),
  },
};

interface Open {
  write?(project: Project): void;
  variables?(project: Project): Readonly<Record<string, string>>;
  args?(project: Project): readonly string[];
  /** What doctor says of it. */
  readonly named: string;
}

/** A plug-in that has the name of ours. */
const namesake = ({ folder }: Project) => join(folder, "theirs/tenterhook");
const writeNamesake = (project: Project) =>
  writeMod(project, { "tool.run": "return next(e);" }, { name: "tenterhook", folder: "../theirs" });

/** What still lifts a refusal where the user seats our module; in the settings of the machine nothing of it does. */
const OPEN: Readonly<Record<string, Open>> = {
  "a project that switches all hooks off": {
    write: (project) => project.write(".claude/settings.json", '{ "disableAllHooks": true }'),
    named: "disableAllHooks is true there",
  },
  "a project that switches our plug-in off": {
    write: (project) =>
      project.write(".claude/settings.json", '{ "enabledPlugins": { "tenterhook@tenterhook": false } }'),
    named: "tenterhook@tenterhook is off there",
  },
  "--bare": { args: () => ["--bare"], named: "--bare" },
  "--safe-mode": { args: () => ["--safe-mode"], named: "--safe-mode" },
  CLAUDE_CODE_SIMPLE: { variables: () => ({ CLAUDE_CODE_SIMPLE: "1" }), named: "CLAUDE_CODE_SIMPLE" },
  "--plugin-dir with a plug-in of our name": {
    write: writeNamesake,
    args: (project) => ["--plugin-dir", namesake(project)],
    named: "--plugin-dir",
  },
  "CLAUDE_CODE_PLUGIN_DIRS with a plug-in of our name": {
    write: writeNamesake,
    variables: (project) => ({ CLAUDE_CODE_PLUGIN_DIRS: namesake(project) }),
    named: "a plug-in called tenterhook, which takes the place of ours",
  },
  "settings of the user that are not read": {
    args: () => ["--setting-sources", "project"],
    named: "--setting-sources",
  },
};

describe("our module in Claude Code", () => {
  it.each(Object.entries(HARMLESS))("lets a mod of others work as before that %s", async (_, given) => {
    const effects = [];
    for (const scope of ["project", "user"]) {
      const { project, isMade } = await guarded({ scope });
      writeMod(project, given.mod, { name: "theirs" });
      const result = await runWithMod({ project, ...given.run }, "theirs");
      expect(JSON.stringify(result.requests)).not.toContain("Tenterhook");
      effects.push(given.effect(result, isMade));
    }
    expect(effects).toEqual([true, true]);
  });

  it.each(Object.entries(OPEN))("stays open in the seat of a user: %s", async (_, given) => {
    const { project, isMade } = await guarded();
    writeMod(project, { "tool.check": ALLOWS, "classic.PreToolUse": "return { allow: true };" });
    await runClaude({ project, script: [MADE] });
    expect(isMade()).toBe(false);
    given.write?.(project);
    Object.assign(project.environment, given.variables?.(project));
    await runClaude({ project, script: [MADE], args: given.args?.(project) ?? [] });
    expect(isMade()).toBe(true);
    const { stdout } = await project.run(["doctor", "-v"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(given.named);
  });
});
