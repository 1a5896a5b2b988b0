import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const DIST = new URL("../../dist/", import.meta.url);

/** What a built file requires as soon as it is loaded. */
function requiredAtLoad(name: string): readonly string[] {
  const text = readFileSync(new URL(name, DIST), "utf8");
  return [...text.matchAll(/=require\("([^"]+)"\)/g)].map(([, id = ""]) => id).sort();
}

it("names the files that commands share by their content, so that a daemon loads none of another version", () => {
  const files = readdirSync(new URL("commands/", DIST));
  const entries = files.filter((name) => !/-[\w-]{7}\.cjs$/.test(name));
  expect(entries.sort()).toEqual(["main.cjs", "served.cjs", "slow-path.cjs"]);
  const required = files.flatMap((name) => requiredAtLoad(`commands/${name}`));
  expect(required).toContain("node:path");
  expect(entries.filter((name) => required.includes(`./${name}`))).toEqual([]);
});

it("loads only the built files and the modules of Node that each file of the hot path needs", () => {
  const files = readdirSync(DIST).filter((name) => /^hook.*\.cjs$/.test(name));
  expect(Object.fromEntries(files.map((name) => [name, requiredAtLoad(name)]))).toEqual({
    "hook.cjs": ["node:buffer", "node:fs", "node:path"],
    "hook-copilot.cjs": ["./hook.cjs"],
    "hook-kilo.cjs": ["./hook-plugins.cjs", "./hook.cjs"],
    "hook-opencode.cjs": ["./hook-plugins.cjs", "./hook.cjs"],
    "hook-pi.cjs": ["./hook-plugins.cjs", "./hook.cjs"],
    "hook-plugins.cjs": ["./hook.cjs"],
    "hook-antigravity.cjs": ["./hook.cjs"],
    "hook-windsurf.cjs": ["./hook.cjs"],
    "hook-cline.cjs": ["./hook.cjs", "node:fs", "node:path"],
    "hook-crush.cjs": ["./hook.cjs"],
    "hook-cursor.cjs": ["./hook.cjs", "node:path"],
    "hook-auggie.cjs": ["./hook.cjs"],
    "hook-codex.cjs": ["./hook.cjs"],
    "hook-programs.cjs": ["./hook.cjs"],
    "hook-shell.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-parser.cjs": [],
    "hook-engine.cjs": ["./hook.cjs"],
    "hook-conditions.cjs": ["./hook-engine.cjs", "./hook-programs.cjs", "./hook.cjs"],
    "hook-regex.cjs": [],
    "hook-usage.cjs": ["./hook.cjs"],
    "hook-gemini.cjs": ["./hook.cjs"],
    "hook-qwen.cjs": ["./hook.cjs"],
    "hook-others.cjs": ["./hook-engine.cjs", "./hook.cjs", "node:fs", "node:path"],
    "hook-command.cjs": [
      "./hook-others.cjs",
      "./hook.cjs",
      "node:child_process",
      "node:events",
      "node:fs",
      "node:module",
      "node:path",
      "node:timers/promises",
      "node:url",
      "node:util",
    ],
    "hook-persistent.cjs": [
      "./hook-command.cjs",
      "./hook-others.cjs",
      "./hook.cjs",
      "node:net",
      "node:timers/promises",
    ],
    "hook-sandbox.cjs": ["./hook-command.cjs", "./hook.cjs", "node:child_process", "node:fs", "node:path"],
    "hook-http.cjs": ["./hook-others.cjs", "./hook.cjs", "node:http", "node:timers/promises"],
    "hook-module.cjs": [
      "./hook-others.cjs",
      "./hook.cjs",
      "node:child_process",
      "node:fs",
      "node:module",
      "node:path",
      "node:url",
    ],
    "hook-permissions.cjs": ["./hook-engine.cjs", "./hook-programs.cjs", "./hook.cjs", "node:path"],
    "hook-rare.cjs": [
      "./hook-engine.cjs",
      "./hook-others.cjs",
      "./hook.cjs",
      "node:child_process",
      "node:crypto",
      "node:fs",
      "node:fs/promises",
      "node:net",
      "node:os",
      "node:path",
      "node:stream",
      "node:timers/promises",
    ],
    "hook-stop.cjs": ["./hook-command.cjs", "./hook-engine.cjs", "./hook-rare.cjs", "./hook.cjs"],
  });
});
