import { dirname, join, resolve } from "node:path";
import { readDefinitionFiles } from "../../../agent/definitions/read-definitions.ts";
import { readSkills } from "../../../agent/definitions/read-skills.ts";
import { type CheckedFile, checkFile } from "../../../config/check-file.ts";
import { effectiveConfig } from "../../../config/combine/apply-scopes-and-trust.ts";
import { Inputs } from "../../../config/inputs/inputs.ts";
import { openConfig } from "../../../config/open.ts";
import { positionOf } from "../../../config/parse/located.ts";
import { ConfigError, inOrder, type Problem, type Warning } from "../../../config/parse/problem.ts";
import { readConfigFile } from "../../../config/parse/read-file.ts";
import { readConfig } from "../../../config/read/read-config.ts";
import { loadAgentFile } from "../../../config/trust/turn-hooks.ts";
import { misspeltTool, newInspection } from "../../../know/inspect/inspection.ts";
import { regularText } from "../../../node/files/regular-file.ts";
import { programProblem } from "../../../node/process/find-program.ts";
import type { Invocation } from "../../command-line/command.ts";
import { placed, placeText } from "../../command-line/failures.ts";
import { codeFrame } from "../../command-line/screen/code-frame.ts";
import type { Block } from "../../command-line/screen/report.ts";
import {
  counted,
  dim,
  green,
  hanging,
  harmless,
  red,
  shortPath,
  yellow,
} from "../../command-line/screen/text.ts";

export interface FilesFound {
  readonly files: readonly string[];
  readonly errors: readonly Problem[];
  readonly warnings: readonly Warning[];
  /** Parts of the project's files that are not in force. */
  readonly untrusted: readonly { readonly name: string; readonly reason: string }[];
}

/** What is right and wrong in the named configuration files, or in those that apply here. */
export function checkedFiles(invocation: Invocation): Promise<FilesFound> {
  return invocation.names.length === 0 ? checkFolder(invocation) : checkFiles(invocation);
}

/** Each problem, and whether the files are valid. */
export function fileBlocks(found: FilesFound, cwd: string): readonly Block[] {
  const { files, errors, warnings } = found;
  const rest = warnings.length === 0 ? "" : `, ${counted(warnings.length, "warning")}`;
  const valid = [
    green(`${counted(files.length, "file")} valid${rest}`),
    ...files.map((file) => dim(`  ${shortPath(file, cwd)}`)),
  ];
  const wrong = red(`${counted(errors.length, "error")}${rest}`);
  return [problemBlocks(found, cwd), errors.length > 0 ? wrong : valid];
}

/** Each problem with its place. */
export function problemBlocks(
  { errors, warnings }: Pick<FilesFound, "errors" | "warnings">,
  cwd: string,
): Block {
  const blockOf =
    (title: string) =>
    (problem: Warning): Block =>
    ({ width }) => {
      const frame = codeFrame(problem, harmless(problem.message), width) ?? [];
      const text = frame.length === 0 ? placed({ ...problem }, cwd) : placeText(problem, cwd);
      return [hanging(title, harmless(text), width, 9), ...frame];
    };
  const blocks = [...errors.map(blockOf(red("error"))), ...warnings.map(blockOf(yellow("warning")))];
  return blocks.length > 0 && [blocks, ""];
}

async function checkFiles(invocation: Invocation): Promise<FilesFound> {
  const { names, cwd, signal } = invocation;
  const inspection = await newInspection(signal);
  const checked: CheckedFile[] = [];
  for (const name of names) checked.push(await checkFile(name, cwd, { signal, inspect: inspection.inspect }));
  const agentFiles = names
    .map((name) => resolve(cwd, name))
    .filter((file) => file.endsWith(join(".agent", "hook.toml")));
  const programs = await Promise.all(
    agentFiles.map((file) => checkAgentHooks(dirname(dirname(file)), invocation)),
  );
  return together(inspection, {
    files: names,
    errors: checked.flatMap(({ problems }) => problems),
    warnings: [
      ...checked.flatMap(({ warnings }) => warnings),
      ...programs.flatMap(({ warnings }) => warnings),
    ],
    untrusted: [],
  });
}

/** Checks every file that applies to the working folder, whether or not it is trusted. */
async function checkFolder(invocation: Invocation): Promise<FilesFound> {
  const { cwd, environment, signal } = invocation;
  const inspection = await newInspection(signal, await judgeInForce(invocation));
  const agent = await checkAgentHooks(cwd, invocation);
  const subagents = await checkSubagents(cwd, invocation);
  const others = {
    errors: [...agent.problems, ...subagents.problems],
    warnings: [...agent.warnings, ...subagents.warnings],
  };
  const agentFiles = agent.problems.map(({ file }) => file);
  try {
    const inputs = new Inputs();
    const read = await readConfig({ cwd, environment }, inputs, signal, inspection.inspect);
    const config = effectiveConfig(read, environment, inputs);
    const { trust, files, agent_hooks } = config;
    // What parses may still be out of force: a file that was emptied.
    const { broken } = (await openConfig({ cwd, environment, signal })).config;
    const emptied = broken?.problems ?? [];
    const isReported = ({ file, message }: Warning): boolean =>
      agentFiles.includes(file) || message.includes("is not in force:");
    return together(inspection, {
      files: [...files.map(({ file }) => file), ...(agent_hooks === undefined ? [] : [agent_hooks.file])],
      errors: [...emptied, ...others.errors],
      warnings: [
        ...config.warnings.filter(
          (warning) => !isReported(warning) && !emptied.some(({ file }) => file === warning.file),
        ),
        ...others.warnings,
      ],
      untrusted: trust.untrusted.map(({ name, reason }) => ({ name, reason })),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const warnings = error.warnings.filter(({ file }) => !agentFiles.includes(file));
    return together(inspection, {
      files: [],
      errors: [...error.problems, ...others.errors],
      warnings: [...warnings, ...others.warnings],
      untrusted: [],
    });
  }
}

/** The model of judges that the files name together; `undefined` when they can't be read, which is reported later. */
async function judgeInForce({ cwd, environment, signal }: Invocation): Promise<string | undefined> {
  const inputs = new Inputs();
  try {
    const read = await readConfig({ cwd, environment }, inputs, signal);
    return effectiveConfig(read, environment, inputs).settings.models.judge;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** What a set says of a composition: the parts that lead to what is wrong. */
const PARTS = /: (?:part \d+ \(\w+\): )+/;

/** All findings in the order of the files, each once. */
function together({ problems, warnings }: Checked, found: FilesFound): FilesFound {
  const label = ({ file, message }: Warning): string => `${file} ${/^Hook "[^"]*"/.exec(message)?.[0]}`;
  const failing = new Set(found.warnings.filter(({ message }) => message.includes("will fail")).map(label));
  const fresh = warnings.filter((one) => !one.message.includes("will fail") || !failing.has(label(one)));
  const isKnown = ({ file, message }: Problem): boolean =>
    found.errors.some((error) => error.file === file && error.message === message.replace(PARTS, ": "));
  return {
    ...found,
    errors: inOrder([...found.errors, ...problems.filter((problem) => !isKnown(problem))]),
    warnings: inOrder([...found.warnings, ...fresh]),
  };
}

interface Checked {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

async function checkSubagents(folder: string, { environment, signal }: Invocation): Promise<Checked> {
  const defined = await readDefinitionFiles(folder, signal);
  const skills = (await readSkills(folder, environment, signal)).map((skill) => ({
    file: join(skill.folder, "SKILL.md"),
    definition: skill,
  }));
  return {
    problems: [...defined, ...skills].flatMap(({ file, definition: { problem } }) =>
      (problem?.split("\n") ?? []).map((one) => ({ code: "config_invalid", file, ...atLine(one) }) as const),
    ),
    warnings: defined.flatMap(({ file, definition: { warnings = [], tools = [] } }) => [
      ...warnings.map((message) => ({ file, ...atLine(message) })),
      ...tools.flatMap((tool) => {
        const message = misspeltTool(tool);
        return message === undefined ? [] : [{ file, ...placeOfName(file, tool), message }];
      }),
    ]),
  };
}

/** Where a tool is named in the front matter of a file. */
function placeOfName(file: string, name: string): { readonly line?: number; readonly column?: number } {
  const lines = (regularText(file, MOST_BYTES) ?? "").split("\n");
  const first = lines.findIndex((line) => /^\W*tools\W*:/i.test(line));
  const at = lines.findIndex((line, index) => index >= first && line.split(/[^\w-]+/).includes(name));
  return first === -1 || at === -1
    ? {}
    : { line: at + 1, column: (lines[at] ?? "").search(`\\b${name}\\b`) + 1 };
}

const MOST_BYTES = 200_000;

/** What is wrong with a definition, and the place that its text begins with. */
function atLine(text: string): {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
} {
  const [, line, column = 1, message] = /^line (\d+)(?:, column (\d+))?: (.*)$/s.exec(text) ?? [];
  return message === undefined ? { message: text } : { line: Number(line), column: Number(column), message };
}

/** Checks the `.agent/hook.toml` of a folder: its syntax, and that its programs exist. */
async function checkAgentHooks(cwd: string, { environment, signal }: Invocation): Promise<Checked> {
  try {
    const agent = await loadAgentFile(cwd, signal);
    if (agent === undefined) return { problems: [], warnings: [] };
    const { folder, file, hooks } = agent;
    const warnings: Warning[] = [];
    for (const [name, { command }] of Object.entries(hooks)) {
      const problem = programProblem(command, folder, environment);
      if (problem === undefined) continue;
      const { located } = await readConfigFile(file, signal);
      const message = `${name} will fail: ${problem}`;
      warnings.push({ file, ...positionOf(located, [name, "command"]), message });
    }
    return { problems: [], warnings };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems, warnings: [] };
    throw error;
  }
}
