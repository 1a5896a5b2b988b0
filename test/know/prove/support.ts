import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import { loadConfig } from "../../../src/config.ts";
import { placesIn } from "../../../src/install/settings-files.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import type { Proven } from "../../../src/know/prove/proof.ts";
import { codeFolder, newProject, type Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";

const STAND_IN = fileURLToPath(new URL("./stand-in.js.txt", import.meta.url));
export const OBEYED = ["deny", "ask", "rewrite", "context", "subagent", "stop", "prompt"];
export const NONSENSE = "If Tenterhook's reply is damaged, Claude Code runs the call (its limit, not ours)";
export const OWN_RULE = {
  name: "no-publish",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: 'command contains "npm publish" -> deny("No.")',
};

/** A person with an agent that runs hooks as Claude Code does, and ours installed for it. */
export async function person({
  behaviour = "obeys",
  scope = "user",
  own = OWN_RULE,
}: {
  readonly behaviour?: string;
  readonly scope?: string;
  readonly own?: object;
} = {}): Promise<Project> {
  const project = newProject();
  const { folder, environment } = project;
  const programs = join(folder, "bin");
  mkdirSync(programs);
  symlinkSync(CLI, join(programs, "tenterhook"));
  const text = readFileSync(STAND_IN, "utf8")
    .replace("#!/usr/bin/env node", `#!${process.execPath}`)
    .replace('"obeys"', JSON.stringify(behaviour))
    .replace('COMPILED_CODE = ""', `COMPILED_CODE = ${JSON.stringify(codeFolder(project))}`);
  writeFileSync(join(programs, "claude"), text, { mode: 0o755 });
  environment.PATH = [programs, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  await project.configure([own]);
  const { code, stderr } = await project.run(["install", "claude", `--${scope}`]);
  if (code !== 0) throw new Error(stderr);
  return project;
}

/** Changes the agent's settings. */
export function change(
  { environment }: Project,
  more: (settings: { hooks: { PreToolUse: object[] } }) => object,
): void {
  const file = join(environment.HOME ?? "", ".claude/settings.json");
  writeFileSync(file, JSON.stringify(more(JSON.parse(readFileSync(file, "utf8")))));
}

/** Gives the person a skill with a module, which runs inside the agent. */
export function writeMod(project: Project, name: string, answer: string): void {
  const write = (file: string, text: string) => project.write(`../home/.claude/skills/${name}/${file}`, text);
  write(".claude-plugin/plugin.json", JSON.stringify({ name }));
  write("hooks/hooks.json", JSON.stringify({ modules: ["./register.js"] }));
  write("hooks/register.js", `export const register = (on) => { on("tool.check", () => (${answer})); };\n`);
  write(".env", "A=a-secret");
}

export async function proved(
  project: Project,
  ...options: readonly string[]
): Promise<{ code: unknown; agents: { scenarios: { name: string; result: string; why?: string }[] }[] }> {
  const { code, stdout, stderr } = await project.run(["prove", "claude", "--json", ...options]);
  return { code, ...JSON.parse(stdout), ...(stderr === "" ? {} : { stderr }) };
}

/** The person's agent, to be tried on less than everything. */
export async function provenIn({ cwd, folder, environment }: Project): Promise<Proven> {
  return {
    driver: claudeDriver,
    integration: await integrationOf("claude"),
    program: join(folder, "bin/claude"),
    real: placesIn(cwd, environment),
    signal: new AbortController().signal,
    onRun() {},
  };
}

export const configOf = ({ cwd, environment }: Project) => loadConfig({ cwd, environment });
