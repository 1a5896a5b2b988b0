import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { compileRuns } from "../../../src/rules/shell/runs.ts";

beforeAll(loadShellParser);

const disables = compileRuns("tenterhook disable x");

describe("our program is known by what runs, not by how it is written", () => {
  it.each([
    "sh ./node_modules/.bin/tenterhook disable x",
    "bash /opt/a/node_modules/tenterhook/dist/tenterhook.cjs disable x",
    "busybox sh node_modules/tenterhook/dist/tenterhook.cjs disable x",
    "zsh -f node_modules/.bin/tenterhook disable x",
    "exec -a y sh node_modules/.bin/tenterhook disable x",
    ". node_modules/.bin/tenterhook disable x",
    "node --import ./a.mjs node_modules/tenterhook/dist/commands/main-B1.cjs disable x",
    "nodejs node_modules/.bin/tenterhook disable x",
    "deno node_modules/tenterhook/dist/tenterhook.cjs disable x",
    "perl node_modules/.bin/tenterhook disable x",
    "./node_modules/tenterhook/dist/tenterhook.cjs disable x",
    "cd node_modules/tenterhook/dist && node tenterhook.cjs disable x",
    "cd node_modules/tenterhook && node ./dist/commands/main-B1.cjs disable x",
    "npx tenterhook@1.2.3 disable x",
    "corepack pnpm exec tenterhook disable x",
    "volta run tenterhook disable x",
    "fnm exec --using 20 -- tenterhook disable x",
    "newrunner --flag tenterhook disable x",
    "ln -s node_modules/.bin/tenterhook t && ./t disable x",
    "cp node_modules/tenterhook/dist/tenterhook.cjs /tmp/t && sh /tmp/t disable x",
    'ln -s "$(command -v tenterhook)" t; ./t disable x',
    "cat node_modules/.bin/tenterhook | sh -s disable x",
    "sh -s disable x < node_modules/.bin/tenterhook",
    "node - disable x < node_modules/tenterhook/dist/tenterhook.cjs",
    "NODE_OPTIONS=--require=./a.js env -i sh node_modules/.bin/tenterhook disable x",
  ])("%s", (line) => {
    expect(analyseShell(line).commands.some(disables)).toBe(true);
  });

  it.each([
    "cat node_modules/.bin/tenterhook disable x",
    "grep -rn tenterhook disable x",
    "node scripts/tenterhook-report.mjs disable x",
    "node dist/cli.js disable x",
    "git log -- tenterhook disable x",
    "echo tenterhook disable x",
  ])("another program is not taken for it: %s", (line) => {
    expect(analyseShell(line).commands.some(disables)).toBe(false);
  });
});

describe("what a program starts after its own words is read", () => {
  const deletes = compileRuns("rm -r -f src");

  it.each([
    "tenterhook watch -- rm -rf src",
    "tenterhook watch rm -rf src",
    "tenterhook --json watch --name a --transcript b -- sh -c 'rm -rf src'",
    "npx tenterhook watch -- rm -rf src",
    "sh node_modules/.bin/tenterhook watch -- rm -rf src",
    "tenterhook watch -- tenterhook watch -- rm -rf src",
  ])("%s", (line) => {
    expect(analyseShell(line).commands.some(deletes)).toBe(true);
  });
});
