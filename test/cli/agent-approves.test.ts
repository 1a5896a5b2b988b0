import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./support/run-cli.ts";
import { type SuspendedSession, suspendedSession, UNTRUSTED } from "./support/suspended-session.ts";

/** Runs a command with the variables that Claude Code sets. */
const withVariables = ({ cwd, env }: SuspendedSession, args: readonly string[]) =>
  runCli(cwd, { ...env, CLAUDECODE: "1" }, ...args);

describe("with an agent's variables", () => {
  it.each([
    ["resume", (id: string) => ["sessions", "resume", id, "yes"]],
    ["resume --answer", (id: string) => ["sessions", "resume", id, "--answer", "answer.json"]],
    ["fork", (id: string) => ["sessions", "fork", id, "yes"]],
  ])("%s approves nothing", async (_name, args) => {
    const one = await suspendedSession();
    const { code, stderr } = await withVariables(one, [...args(one.id), "--model", "scripted:rest.json"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Only a person decides this. ")]);
    expect(one.hasRun()).toBe(false);
  });

  it.each([
    ["--yes", (_id: string) => ["run", "Go.", "--yes"]],
    ["--mode bypass", (_id: string) => ["run", "Go.", "--mode", "bypass"]],
    ["resume --yes", (id: string) => ["sessions", "resume", id, "--yes"]],
  ])("%s approves nothing, and says so", async (_name, args) => {
    const one = await suspendedSession();
    const { stderr } = await withVariables(one, [...args(one.id), "--model", "scripted:rest.json"]);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /--(yes approves nothing|mode bypass does not apply) here\. .* agent/,
    );
    expect(one.hasRun()).toBe(false);
  });

  it("trusts nothing", async () => {
    const one = await suspendedSession();
    mkdirSync(join(one.cwd, ".tenterhook"));
    writeFileSync(join(one.cwd, ".tenterhook/hooks.yaml"), UNTRUSTED);
    const { code, stderr } = await withVariables(one, ["trust", "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Only a person decides this")]);
  });
});
