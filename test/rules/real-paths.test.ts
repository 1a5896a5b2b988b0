import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { nodePaths } from "../../src/node/paths.ts";
import { nodeRulePorts } from "../../src/node/rule-ports.ts";
import { compileInlineRules } from "../../src/rules/rules.ts";
import { call } from "./ports.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "real-paths-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
mkdirSync(join(cwd, "secrets"));
mkdirSync(join(cwd, "src"));
symlinkSync(join(cwd, "secrets"), join(cwd, "src", "link"));

it.each(["src/link/key", "src/../src/link/key", "missing/../src/link/key", "src/link/../link/key"])(
  "%s is the file behind the link for whoever opens it, by text or by the system",
  async (path) => {
    expect(nodePaths.spellings(path, cwd)).toContain(join(cwd, "secrets", "key"));
    const { decide } = await compileInlineRules(
      { name: "h", rules: 'call reads "secrets/**" -> deny("no")' },
      nodeRulePorts,
    );
    expect((await decide(call("Read", { file_path: path }, { cwd }))).action).toBe("deny");
  },
);
