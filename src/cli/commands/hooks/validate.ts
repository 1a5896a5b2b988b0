import { dirname, join, resolve } from "node:path";
import { checkFile } from "../../../config/parse/check-file.ts";
import { templateWarnings } from "../../../config/parse/template-fields.ts";
import { ConfigError, loadAgentHooks, type Problem, type Warning } from "../../../config.ts";
import { programProblem } from "../../../node/process/find-program.ts";
import type { CommandRun, Invocation } from "../../command-line/command.ts";
import { placed } from "../../command-line/failures.ts";
import { counted, hanging, harmless, shortPath } from "../../command-line/screen/text.ts";
import { loadHooks } from "../../configured-hooks/load-hooks.ts";

interface Findings {
  readonly files: readonly string[];
  readonly errors: readonly Problem[];
  readonly warnings: readonly Warning[];
  /** Parts of the project's files that are not in force. */
  readonly untrusted: readonly { readonly name: string; readonly reason: string }[];
}

/** `tenterhook validate`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd, names } = invocation;
  const found = names.length === 0 ? await checkFolder(invocation) : await checkFiles(invocation);
  const { files, errors, warnings, untrusted } = found;
  const valid = errors.length === 0;
  if (json) {
    screen.json({ valid, ...found });
    return valid ? undefined : 2;
  }
  const { red, yellow, green, dim } = screen.paint;
  const say = (title: string, text: string): void =>
    screen.print(hanging(title, harmless(text), screen.width, 9));
  for (const problem of errors) say(red("error"), placed({ ...problem }, cwd));
  for (const warning of warnings) say(yellow("warning"), placed({ ...warning }, cwd));
  if (untrusted.length > 0)
    say(
      yellow("trust"),
      `Not trusted yet: ${untrusted.map(({ name }) => name).join(", ")}. tenterhook trust shows what would run.`,
    );
  if (errors.length + warnings.length + untrusted.length > 0) screen.print("");
  const rest = warnings.length === 0 ? "" : `, ${counted(warnings.length, "warning")}`;
  if (!valid) screen.print(red(`${counted(errors.length, "error")}${rest}`));
  else
    screen.print(
      green(
        files.length === 0
          ? `No configuration here${rest}.`
          : `${counted(files.length, "file")} valid${rest}`,
      ),
    );
  for (const file of valid ? files : []) screen.print(dim(`  ${shortPath(file, cwd)}`));
  return valid ? undefined : 2;
};

async function checkFiles(invocation: Invocation): Promise<Findings> {
  const { names, cwd, signal } = invocation;
  const checked = await Promise.all(names.map((name) => checkFile(name, cwd, signal)));
  const agentFiles = names
    .map((name) => resolve(cwd, name))
    .filter((file) => file.endsWith(join(".agent", "hook.toml")));
  const programs = await Promise.all(
    agentFiles.map((file) => checkAgentHooks(dirname(dirname(file)), invocation)),
  );
  return {
    files: names,
    errors: checked.flatMap(({ problems }) => problems),
    warnings: [
      ...checked.flatMap(({ warnings, definitions }) => [
        ...warnings,
        ...definitions.flatMap(templateWarnings),
      ]),
      ...programs.flatMap(({ warnings }) => warnings),
    ],
    untrusted: [],
  };
}

/** Checks every file that applies to the working folder. */
async function checkFolder(invocation: Invocation): Promise<Findings> {
  const agent = await checkAgentHooks(invocation.cwd, invocation);
  const agentFiles = agent.problems.map(({ file }) => file);
  try {
    const { config, failing } = await loadHooks(invocation);
    const { trust, definitions, files } = config;
    const untrusted = trust.untrusted.map(({ name, reason }) => ({ name, reason }));
    const isTold = ({ file, message }: Warning): boolean =>
      agentFiles.includes(file) || message.includes("is not in force:");
    return {
      files: [
        ...files.map(({ file }) => file),
        ...(config.agent_hooks === undefined ? [] : [config.agent_hooks.file]),
      ],
      errors: agent.problems,
      warnings: [
        ...config.warnings.filter((warning) => !isTold(warning)),
        ...definitions.flatMap(templateWarnings),
        ...failing.flatMap(({ name, reason }) => {
          const hook = definitions.find((one) => one.name === name);
          if (hook === undefined || hook.untrusted !== undefined || !hook.enabled) return [];
          const { file, line } = hook.origin;
          return [{ file, line, message: `Hook ${JSON.stringify(name)} will fail: ${reason}` }];
        }),
        ...agent.warnings,
      ],
      untrusted,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const warnings = error.warnings.filter(({ file }) => !agentFiles.includes(file));
    return {
      files: [],
      errors: [...error.problems, ...agent.problems],
      warnings: [...warnings, ...agent.warnings],
      untrusted: [],
    };
  }
}

/** Checks `.agent/hook.toml` in a folder: its syntax, and that its programs exist. */
async function checkAgentHooks(
  folder: string,
  { environment, signal }: Invocation,
): Promise<{ readonly problems: readonly Problem[]; readonly warnings: readonly Warning[] }> {
  const file = join(folder, ".agent", "hook.toml");
  try {
    const hooks = (await loadAgentHooks(folder, signal)) ?? {};
    const warnings = Object.entries(hooks).flatMap(([name, { command }]) => {
      const problem = programProblem(command, folder, environment);
      return problem === undefined ? [] : [{ file, message: `${name} will fail: ${problem}` }];
    });
    return { problems: [], warnings };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems, warnings: [] };
    throw error;
  }
}
