import { issueProblems, problemAt } from "../../config/parse/issues.ts";
import { type ParsedFile, positionOf, type ValuePath } from "../../config/parse/located.ts";
import { ConfigError, type Problem } from "../../config/parse/problem.ts";
import { readConfigFile } from "../../config/parse/read-file.ts";
import { issuesIn, type ValueOf } from "../../core/base/schemas.ts";
import { CASE_FILE, type Expected, textPattern, type WrittenCase } from "./case-schema.ts";

export interface Step {
  /** A file's name when it is a string. */
  readonly event: Readonly<Record<string, unknown>> | string;
  readonly agent?: string;
  readonly stub?: Readonly<Record<string, unknown>>;
  readonly expect?: Expected;
  readonly line: number;
}

/** A case: events of one session, and what must be decided about each. */
export interface TestCase {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly steps: readonly Step[];
  /** Its place in the list of its file. */
  readonly index: number;
}

/**
 * Reads a file with cases.
 *
 * @throws ConfigError with everything that is wrong in it, at its line.
 */
export async function readCases(file: string, signal?: AbortSignal): Promise<readonly TestCase[]> {
  const parsed = await readConfigFile(file, signal);
  const { value } = parsed;
  if (!isCaseFile(value)) throw new ConfigError(issueProblems(issuesIn(value, CASE_FILE), parsed, []));
  const problems: Problem[] = [];
  const cases = value.cases.flatMap((one, at) => casesOf(one, ["cases", at], at, parsed, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return cases;
}

function isCaseFile(value: unknown): value is ValueOf<typeof CASE_FILE> {
  return issuesIn(value, CASE_FILE).length === 0;
}

type WrittenStep = Omit<WrittenCase, "name" | "sequence">;

/** A list of command lines is as many cases. */
function casesOf(
  { name, sequence, ...step }: WrittenCase,
  path: ValuePath,
  index: number,
  parsed: ParsedFile,
  problems: Problem[],
): readonly TestCase[] {
  const { line } = positionOf(parsed.located, path);
  const wrong = (message: string, at: ValuePath = path): readonly [] => {
    problems.push(problemAt(parsed, at, message));
    return [];
  };
  const given = [step.bash, step.event, sequence].filter((one) => one !== undefined);
  if (given.length !== 1) return wrong("A case has one of bash, event and sequence.");
  const whole = { file: parsed.file, line, index };
  if (sequence === undefined)
    return stepsOf(step, path, parsed, wrong).map((one, _, all) => {
      const about = aboutStep(one);
      const label = name === undefined ? about : all.length > 1 ? `${name}: ${about}` : name;
      return { ...whole, name: label, steps: [one], line: one.line };
    });
  if (step.expect !== undefined || step.stub !== undefined || step.agent !== undefined)
    return wrong("In a sequence, expect, stub and agent belong to its steps.");
  const steps = sequence.flatMap((one, at) => stepsOf(one, [...path, "sequence", at], parsed, wrong));
  return [{ ...whole, name: name ?? `a sequence of ${steps.length} events`, steps }];
}

function stepsOf(
  { bash, event, agent, stub, expect }: WrittenStep,
  path: ValuePath,
  parsed: ParsedFile,
  wrong: (message: string, at?: ValuePath) => readonly [],
): readonly Step[] {
  const patterns = Object.entries(expect ?? {}).map(([key, value]) => [key, textPattern(value)] as const);
  const bad = patterns.find(([, pattern]) => typeof pattern === "string");
  if (bad !== undefined) return wrong(`expect.${bad[0]}: ${bad[1]}`, [...path, "expect", bad[0]]);
  if ((bash === undefined) === (event === undefined)) return wrong("A step has one of bash and event.", path);
  if (bash !== undefined && agent !== undefined)
    return wrong("agent says whose payload an event is; it has no meaning for bash.", [...path, "agent"]);
  const rest = { ...(stub && { stub }), ...(expect && { expect }), ...(agent !== undefined && { agent }) };
  if (event !== undefined) return [{ ...rest, event, line: positionOf(parsed.located, path).line }];
  const many = Array.isArray(bash);
  return [bash ?? []].flat().map((command: string, at) => ({
    ...rest,
    event: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } },
    line: positionOf(parsed.located, many ? [...path, "bash", at] : path).line,
  }));
}

function aboutStep({ event }: Step): string {
  if (typeof event === "string") return event;
  const { hook_event_name: name, tool_name: tool, tool_input: input } = event;
  const command = typeof input === "object" && input !== null ? Reflect.get(input, "command") : undefined;
  return typeof command === "string" ? command : [name, tool].filter((part) => part !== undefined).join(" ");
}
