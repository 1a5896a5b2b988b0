import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRecord } from "../../src/core/base/json.ts";
import { moduleLoads } from "./support/last-gate.ts";
import { newProject } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const HOOK = {
  name: "none",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "rm" -> deny("Not that.")',
};

/** A project with a hook, and the files of Claude Code's user. */
async function hooked() {
  const project = newProject();
  await project.configure([HOOK]);
  const settings = join(project.folder, "home/.claude/settings.json");
  const seat = join(project.folder, "state/tenterhook/seat/claude");
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr } = await project.run(args);
    return `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
  };
  return { project, settings, seat, run };
}

const USER = ["claude", "--user"];

describe("install claude --user", () => {
  it("puts the last gate first, in a folder of this user alone, and uninstall leaves nothing of it", async () => {
    const { project, settings, seat, run } = await hooked();
    const theirs = '{\n  "model": "opus",\n  "prependPlugins": ["theirs@x"]\n}\n';
    project.write("../home/.claude/settings.json", theirs);
    await run("install", ...USER);
    expect(parseRecord(readFileSync(settings, "utf8"))).toMatchObject({
      prependPlugins: ["tenterhook@tenterhook", "theirs@x"],
      extraKnownMarketplaces: { tenterhook: { source: { source: "directory", path: seat } } },
      hooks: { PreToolUse: [expect.anything()] },
    });
    const register = join(seat, "tenterhook/hooks/register.js");
    expect(parseRecord(readFileSync(join(seat, "tenterhook/hooks/hooks.json"), "utf8"))).toEqual({
      modules: ["./register.js"],
    });
    expect([statSync(seat).mode & 0o777, statSync(register).mode & 0o777]).toEqual([0o700, 0o600]);
    const place = { program: [process.execPath, CLI], state: join(project.folder, "state/tenterhook") };
    expect(readFileSync(join(dirname(register), "place.js"), "utf8")).toBe(
      `export const PLACE = ${JSON.stringify(place)};\n`,
    );
    expect(await run("install", ...USER, "-v")).toContain("is up to date");
    await run("uninstall", ...USER);
    expect(readFileSync(settings, "utf8")).toBe(theirs);
    expect(existsSync(seat)).toBe(false);
  });

  it.each(["register.js", "place.js"])(
    "restores a plug-in whose %s is not as it is shipped",
    async (name) => {
      const { seat, run } = await hooked();
      await run("install", ...USER);
      const register = join(seat, "tenterhook/hooks", name);
      const shipped = readFileSync(register, "utf8");
      writeFileSync(register, "export const register = () => {};\n");
      expect(await run("doctor")).toMatch(
        /Our plug-in in .* is missing or not of this version: tenterhook install --sync\./,
      );
      await run("install", "--sync");
      expect(readFileSync(register, "utf8")).toBe(shipped);
    },
  );

  it("writes nothing with --dry-run", async () => {
    const { seat, run } = await hooked();
    expect(await run("install", ...USER, "--dry-run")).toContain('"prependPlugins"');
    expect(existsSync(seat)).toBe(false);
  });

  it("names the plug-ins that act by themselves, with the line that allows each", async () => {
    const { project, run } = await hooked();
    const skills = "../home/.claude/skills";
    project.write(`${skills}/acts/.claude-plugin/plugin.json`, '{ "name": "acts" }');
    project.write(`${skills}/acts/hooks/hooks.json`, '{ "modules": ["./register.js"] }');
    project.write(`${skills}/acts/hooks/register.js`, 'const go = ($) => $.process\n  .run(["ls"]);');
    project.write(`${skills}/calm/hooks/hooks.json`, '{ "modules": ["./register.js"] }');
    project.write(`${skills}/calm/hooks/register.js`, 'const go = ($) => $.ui.toast("ls");');
    project.write(`${skills}/text/SKILL.md`, "$.process.run");
    project.write(`${skills}/asks/hooks/hooks.json`, '{ "modules": ["./register.js"] }');
    project.write(
      `${skills}/asks/hooks/register.js`,
      'const go = ($) => $.http.fetch("https://example.com");',
    );
    project.write(`${skills}/leads/hooks/hooks.json`, '{ "modules": ["./register.js"] }');
    project.write(`${skills}/leads/hooks/register.js`, 'on("http.fetch", led);');
    const text = await run("install", ...USER, "-v");
    const [line = ""] = /mods: \{ allow: \["acts@[0-9a-f]{32}"\] \}/.exec(text) ?? [];
    expect(text).toContain("skills/acts starts programs or writes files by itself");
    expect(text).toContain(
      "skills/leads starts programs or writes files by itself, or changes what others do",
    );
    expect(text).toContain("skills/asks sends requests by itself, which no hook sees.");
    expect(text).not.toMatch(/calm|skills\/text/);
    expect(await run("doctor", "-v")).toContain("skills/asks sends requests by itself");
    expect(await run("doctor")).toContain(line);
    project.write("../config/tenterhook/hooks.yaml", `${line}\n`);
    expect(await run("doctor", "-v")).not.toContain("skills/acts starts");
  });
});

it("a project's settings seat no plug-in, and install says what that means, unless the user's do", async () => {
  const { seat, run } = await hooked();
  expect(await run("install", "claude", "-v")).toContain(
    "tenterhook install claude --user puts a gate of ours behind them",
  );
  expect(existsSync(seat)).toBe(false);
  await run("install", ...USER);
  expect(await run("install", "claude", "-v")).not.toContain("puts a gate of ours behind them");
});

describe("doctor", () => {
  it("says that Claude Code has loaded the last gate, and in which version, once it has", async () => {
    const { project, run } = await hooked();
    await run("install", ...USER);
    expect(await run("doctor", "-v")).toContain(
      "Claude Code has not loaded our plug-in yet; it reports here when it does.",
    );
    await moduleLoads(project);
    expect(await run("doctor", "-v")).toMatch(
      /Claude Code 2\.1\.327 loaded our plug-in on \d{4}-\d\d-\d\d\. --bare, --safe-mode, .* leave it out; sudo tenterhook install claude --managed/,
    );
  });

  it("tells why the last gate asks no daemon", async () => {
    const { project, run } = await hooked();
    await run("install", ...USER);
    const slow =
      "With TENTERHOOK_DAEMON=0 our plug-in finds no daemon, and starts our program for each call.";
    expect(await run("doctor", "-v")).toContain(slow);
    delete project.environment.TENTERHOOK_DAEMON;
    expect(await run("doctor", "-v")).not.toContain(slow);
  });

  it.each([
    ["2.1.325", true],
    ["2.1.326", false],
  ])("knows whether Claude Code %s loads it", async (version, isTooOld) => {
    const { project, run } = await hooked();
    const manifest = { name: "claude", version, bin: { claude: "claude" } };
    project.write("../bin/package.json", JSON.stringify(manifest));
    project.environment.PATH = dirname(project.write("../bin/claude", "#!/bin/sh\n"));
    await run("install", ...USER);
    expect((await run("doctor", "-v")).includes("does not load our plug-in")).toBe(isTooOld);
  });

  it("misses it where the user's settings call us without it", async () => {
    const { settings, run } = await hooked();
    await run("install", ...USER);
    const { hooks } = parseRecord(readFileSync(settings, "utf8"));
    writeFileSync(settings, JSON.stringify({ hooks }));
    expect(await run("doctor")).toContain(
      "does not put our plug-in first, so others can lift a refusal: tenterhook install --sync.",
    );
  });
});
