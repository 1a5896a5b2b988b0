import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import type { Config } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { hooksFile, project } from "./support/project.ts";

const named = ({ definitions }: Config) =>
  definitions.map(({ name, origin, enabled }) => [name, origin.scope, enabled]);
const warned = ({ warnings }: Config, root: string) =>
  warnings.map(({ file, line, message }) => `${file}:${line ?? ""}: ${message}`.replaceAll(`${root}/`, ""));

describe("four scopes together", () => {
  const all = () =>
    project({
      "managed/hooks.yaml": hooksFile("m"),
      "user/tenterhook/hooks.json": hooksFile("u"),
      "hooks.yaml": hooksFile("p"),
      "hooks.local.yaml": hooksFile("l"),
    });

  it("are all active, in order, each with its origin", async () => {
    const files = all();
    const { definitions, warnings } = await files.load();
    expect([definitions.map(({ name, origin, root }) => ({ name, origin, root })), warnings]).toEqual([
      [
        {
          name: "m",
          origin: {
            scope: "managed",
            file: files.path("managed/hooks.yaml"),
            line: 4,
            managed_by: "the administrator of this machine",
          },
          root: files.path("managed"),
        },
        {
          name: "u",
          origin: { scope: "user", file: files.path("user/tenterhook/hooks.json"), line: 4 },
          root: files.path("user/tenterhook"),
        },
        {
          name: "p",
          origin: { scope: "project", file: files.path("project/.tenterhook/hooks.yaml"), line: 4 },
          root: files.path("project"),
        },
        {
          name: "l",
          origin: { scope: "local", file: files.path("project/.tenterhook/hooks.local.yaml"), line: 4 },
          root: files.path("project"),
        },
      ],
      [],
    ]);
  });

  it("disable what does not stand above them; everything else is a warning", async () => {
    const files = all();
    files.write(
      "user/tenterhook/hooks.json",
      hooksFile("u", "v").replace('"hooks": {', '"hooks": { "disabled": ["m", "v"],'),
    );
    files.write("hooks.yaml", hooksFile("p", "q"));
    files.write("hooks.local.yaml", "hooks: { disabled: [m, u, q, pp] }");
    const config = await files.load();
    expect(named(config)).toEqual([
      ["m", "managed", true],
      ["u", "user", true],
      ["v", "user", false],
      ["p", "project", true],
      ["q", "project", false],
    ]);
    expect(warned(config, files.root)).toEqual([
      'user/tenterhook/hooks.json:2: hooks.disabled names "m", which stays on: it is a hook of the managed scope (managed/hooks.yaml:4).',
      'project/.tenterhook/hooks.local.yaml:1: hooks.disabled names "m", which stays on: it is a hook of the managed scope (managed/hooks.yaml:4).',
      'project/.tenterhook/hooks.local.yaml:1: hooks.disabled names "u", which stays on: it is a hook of the user scope (user/tenterhook/hooks.json:4).',
      'project/.tenterhook/hooks.local.yaml:1: hooks.disabled names "pp", but no hook and no rule of a pack has that name. Did you mean "p"?',
    ]);
  });

  it("keep both hooks of one name, and say so", async () => {
    const files = project({ "user/tenterhook/hooks.yaml": hooksFile("a"), "hooks.yaml": hooksFile("a") });
    const config = await files.load();
    expect(named(config)).toEqual([
      ["a", "user", true],
      ["project:a", "project", true],
    ]);
    expect(warned(config, files.root)).toEqual([
      'project/.tenterhook/hooks.yaml:4: Hook "a" has the name of a hook at user/tenterhook/hooks.yaml:4. Both run; this one is called "project:a".',
    ]);
  });

  it("give limits that lower scopes can only narrow, and a timeout for themselves and those below", async () => {
    const files = project({
      "managed/hooks.yaml": "hooks: { timeout: 5, limits: { hook_turns: 4 }, use: [no-network] }",
      "hooks.yaml": "hooks: { limits: { hook_turns: 9, turn_seconds: 60 }, use: [no-network] }",
      "hooks.local.yaml": `{ "hooks": { "timeout": 7, "use": ["./more.json"] } }`,
      "more.json": hooksFile("x"),
    });
    const config = await files.load();
    expect([config.limits, config.timeout]).toEqual([{ hook_turns: 4, turn_seconds: 60 }, 7]);
    expect(
      new Set(config.definitions.map(({ pack, timeout, origin }) => `${pack} ${timeout} ${origin.scope}`)),
    ).toEqual(new Set(["no-network 5 managed", "undefined 7 local"]));
    expect(warned(config, files.root)).toEqual([
      "project/.tenterhook/hooks.yaml:1: hooks.limits.hook_turns is 9, but a higher scope allows 4, so 4 applies.",
    ]);
  });
});

describe("the project's files", () => {
  it("are found from a subdirectory, up to the root of the repository and not above it", async () => {
    const files = project({ "hooks.yaml": hooksFile("p"), ".tenterhook/hooks.yaml": hooksFile("outside") });
    mkdirSync(files.path("project/a/b"), { recursive: true });
    expect(named(await files.load(files.path("project/a/b")))).toEqual([["p", "project", true]]);
    rmSync(files.path("project/.tenterhook"), { recursive: true });
    expect(named(await files.load(files.path("project/a/b")))).toEqual([]);
  });

  it("are found through a link to a subdirectory", async () => {
    const files = project({ "hooks.yaml": hooksFile("p") });
    mkdirSync(files.path("project/a"));
    symlinkSync(files.path("project/a"), files.path("link"));
    expect(named(await files.load(files.path("link")))).toEqual([["p", "project", true]]);
  });

  it("all count, the outer ones first", async () => {
    const files = project({
      "hooks.yaml": hooksFile("p", "both"),
      "project/a/.tenterhook/hooks.yaml": hooksFile("a", "both"),
      "project/a/b/.tenterhook/hooks.yaml": hooksFile("both"),
    });
    const config = await files.load(files.path("project/a/b"));
    expect(named(config)).toEqual([
      ["p", "project", true],
      ["both", "project", true],
      ["a", "project", true],
      ["project:both", "project", true],
      ["project:both#2", "project", true],
    ]);
  });

  it("the project's files may be missing or empty", async () => {
    const empty = {
      files: [],
      definitions: [],
      guards: [],
      limits: {},
      settings: {
        models: {},
        permissions: {},
        sandbox: {},
        memory: {},
        compaction: {},
        agents: {},
        checkpoints: {},
        mcp_servers: {},
        monitor: {},
        daemon: true,
        self_protection: {},
        mods: {},
        degrade: {},
      },
      sites: { managed: {}, user: {}, project: {}, local: {} },
      warnings: [],
    };
    const trust = (root: string) => ({ root, state: "nothing", untrusted: [] });
    const none = project();
    expect(await none.load()).toEqual({ ...empty, trust: trust(none.path("project")) });
    const files = project({ "hooks.yaml": "# nothing yet\n" });
    expect(await files.load()).toEqual({
      ...empty,
      files: [expect.objectContaining({ scope: "project" })],
      trust: trust(files.path("project")),
    });
  });

  it("with a misspelt name are warned of", async () => {
    const files = project({ "hook.yaml": hooksFile("p"), "hooks.local.yaml": "" });
    expect(warned(await files.load(), files.root)).toEqual([
      'project/.tenterhook/hook.yaml:: This file is not read. Did you mean "hooks.yaml"?',
    ]);
  });

  it("in two spellings are refused", async () => {
    expect(await project({ "hooks.yaml": "", "hooks.toml": "" }).refused()).toEqual([
      "config_invalid",
      "project/.tenterhook: hooks.yaml and hooks.toml both exist. Keep one of them.",
    ]);
  });

  it.each<[what: string, make: (file: string) => void, message: string]>([
    ["a folder", (file) => mkdirSync(file), "This is a folder; a configuration is a file."],
    ["a broken link", (file) => symlinkSync("nowhere", file), "The link leads to a missing file."],
    ["a link to itself", (file) => symlinkSync(file, file), "The link leads back to itself."],
    ["no plain file", (file) => symlinkSync("/dev/zero", file), "This is not a plain file."],
  ])("that are %s are refused", async (_, make, message) => {
    const files = project({ "other.txt": "" });
    make(files.path("project/.tenterhook/hooks.yaml"));
    expect(await files.refused()).toEqual([
      "config_unreadable",
      `project/.tenterhook/hooks.yaml: ${message}`,
    ]);
  });

  it("can't stand in a file of that name, nor in a folder that is not there", async () => {
    const files = project({ "project/.tenterhook": "" });
    expect(await files.refused()).toEqual([
      "config_unreadable",
      "project/.tenterhook: This is a file; a folder with hooks.yaml in it was expected.",
    ]);
    expect(await files.refused(files.path("gone"))).toEqual([
      "config_unreadable",
      `${files.path("gone")}: There is no such folder.`.replaceAll(`${files.root}/`, ""),
    ]);
  });

  it("that are too large are refused", async () => {
    expect(await project({ "hooks.yaml": "#".repeat(1_000_001) }).refused()).toEqual([
      "config_unreadable",
      "project/.tenterhook/hooks.yaml: This is too large for a configuration: it has 1000001 bytes, more than 1000000.",
    ]);
  });

  it("that use each other in a circle are refused", async () => {
    const files = project({
      "hooks.yaml": "hooks: { use: [./a.yaml] }",
      "a.yaml": "hooks: { use: [./hooks.yaml] }",
    });
    expect(await files.refused()).toEqual([
      "config_invalid",
      "project/.tenterhook/a.yaml:1:16: The file uses itself: project/.tenterhook/hooks.yaml → project/.tenterhook/a.yaml → project/.tenterhook/hooks.yaml. Remove one of these from use.",
    ]);
  });
});

describe("scripts in .tenterhook/hooks", () => {
  const scripts = (...names: readonly string[]) =>
    project(Object.fromEntries(names.map((name) => [`project/.tenterhook/hooks/${name}`, "exit 0\n"])));

  it("become command hooks in the order of their names", async () => {
    const { definitions } = await scripts(
      "pre-write-file.py",
      "on-session-start.sh",
      "post-Bash.js",
      "pre-mcp__a__b.ts",
    ).load();
    expect(definitions.map(({ definition }) => definition)).toEqual([
      {
        name: "on-session-start.sh",
        type: "command",
        script: ".tenterhook/hooks/on-session-start.sh",
        matcher: { events: ["SessionStart"] },
      },
      {
        name: "post-Bash.js",
        type: "command",
        script: ".tenterhook/hooks/post-Bash.js",
        matcher: { events: ["PostToolUse"], tools: ["Bash"] },
      },
      {
        name: "pre-mcp__a__b.ts",
        type: "command",
        script: ".tenterhook/hooks/pre-mcp__a__b.ts",
        matcher: { events: ["PreToolUse"], tools: ["mcp__a__b"] },
      },
      {
        name: "pre-write-file.py",
        type: "command",
        script: ".tenterhook/hooks/pre-write-file.py",
        matcher: { events: ["PreToolUse"], tools: ["write_file"] },
      },
    ]);
  });

  it("named after no event are refused", async () => {
    expect(await scripts("on-sesion-start.sh").refused()).toEqual([
      "config_invalid",
      'project/.tenterhook/hooks/on-sesion-start.sh: There is no event "sesion-start". Did you mean "SessionStart"?',
    ]);
  });

  it("named after a tool nobody knows are for tools of that name, with a warning", async () => {
    const files = scripts("pre-bsh.sh", "pre-deploy.sh");
    const config = await files.load();
    expect(config.definitions.map(({ definition }) => definition.matcher.tools)).toEqual([
      ["bsh"],
      ["deploy"],
    ]);
    expect(warned(config, files.root)).toEqual([
      'project/.tenterhook/hooks/pre-bsh.sh:: No tool that is known here is called "bsh"; the hook is for tools of exactly that name. Did you mean "Bash"?',
      'project/.tenterhook/hooks/pre-deploy.sh:: No tool that is known here is called "deploy"; the hook is for tools of exactly that name.',
    ]);
  });

  it.each(["pre-bash.rb", "pre-bash.sh~"])("that nobody can run, %s, are warned of", async (name) => {
    const files = scripts(name);
    expect(warned(await files.load(), files.root)).toEqual([
      `project/.tenterhook/hooks/${name}:: This is not a hook that can be run: its name must end in .sh, .py, .js, .ts, .ps1.`,
    ]);
  });

  it("that are none are warned of", async () => {
    const files = scripts("per-bash.sh", ".keep", "lib/shared.sh");
    expect(warned(await files.load(), files.root)).toEqual([
      "project/.tenterhook/hooks/per-bash.sh:: This is not a hook: names are pre-<tool>, post-<tool> or on-<event> with .sh, .py, .js, .ts, .ps1.",
    ]);
  });
});
