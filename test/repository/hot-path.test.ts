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
  expect(entries.sort()).toEqual(["main.cjs", "make-with-models.cjs", "read-config.cjs"]);
  const required = files.flatMap((name) => requiredAtLoad(`commands/${name}`));
  expect(required).toContain("node:path");
  expect(entries.filter((name) => required.includes(`./${name}`))).toEqual([]);
});

it("loads only the built files and the modules of Node that each file of the hot path needs", () => {
  const files = readdirSync(DIST).filter((name) => /^hook.*\.cjs$/.test(name));
  expect(Object.fromEntries(files.map((name) => [name, requiredAtLoad(name)]))).toEqual({
    "hook-antigravity.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-auggie.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-cline.cjs": ["./hook-programs.cjs", "./hook.cjs", "node:fs", "node:path"],
    "hook-codex.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-command.cjs": [
      "./hook-others.cjs",
      "./hook-programs.cjs",
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
    "hook-conditions.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-copilot.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-crush.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-cursor.cjs": ["./hook-programs.cjs", "./hook.cjs", "node:path"],
    "hook-gemini.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-http.cjs": [
      "./hook-others.cjs",
      "./hook-programs.cjs",
      "./hook.cjs",
      "node:http",
      "node:timers/promises",
    ],
    "hook-kilo.cjs": ["./hook-plugins.cjs", "./hook.cjs"],
    "hook-module.cjs": [
      "./hook-command.cjs",
      "./hook-others.cjs",
      "./hook-persistent.cjs",
      "./hook-programs.cjs",
      "./hook.cjs",
      "node:fs",
      "node:module",
      "node:path",
      "node:readline",
      "node:url",
      "node:worker_threads",
    ],
    "hook-opencode.cjs": ["./hook-plugins.cjs", "./hook.cjs"],
    "hook-others.cjs": ["./hook-programs.cjs", "./hook.cjs", "node:fs", "node:path"],
    "hook-parser.cjs": [],
    "hook-permissions.cjs": ["./hook-programs.cjs", "./hook.cjs", "node:path"],
    "hook-persistent.cjs": [
      "./hook-command.cjs",
      "./hook-others.cjs",
      "./hook-programs.cjs",
      "./hook.cjs",
      "node:net",
      "node:timers/promises",
    ],
    "hook-pi.cjs": ["./hook-plugins.cjs", "./hook-programs.cjs", "./hook.cjs"],
    "hook-plugins.cjs": ["./hook.cjs"],
    "hook-programs.cjs": [],
    "hook-qwen.cjs": ["./hook.cjs"],
    "hook-rare.cjs": [
      "./hook-others.cjs",
      "./hook-programs.cjs",
      "./hook-stop.cjs",
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
    "hook-regex.cjs": [],
    "hook-sandbox.cjs": ["./hook-command.cjs", "./hook.cjs", "node:child_process", "node:fs", "node:path"],
    "hook-shell.cjs": ["./hook-programs.cjs"],
    "hook-stop.cjs": ["./hook-command.cjs", "./hook-programs.cjs", "./hook.cjs", "node:fs", "node:path"],
    "hook-usage.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook-windsurf.cjs": ["./hook-programs.cjs", "./hook.cjs"],
    "hook.cjs": ["./hook-programs.cjs", "node:buffer", "node:fs", "node:path"],
  });
});
