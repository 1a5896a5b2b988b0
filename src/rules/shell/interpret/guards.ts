import type { AndOr, CompoundList, TestExpression } from "unbash";
import type { ShellCommand } from "../analysis.ts";
import { isSamePath } from "../judge/costly.ts";

type Node = AndOr["commands"][number] | CompoundList;

interface FileTest {
  readonly path: string;
  /** Whether it holds when the file is there. */
  readonly there: boolean;
}

const FILE_TEST = /^(?:test|\[) (! )?-[aefs] (\S+)(?: \])?$/;

/** The file that is not there when what follows the test runs: `[ ! -f .env ] && …`, `test -e .env || …`. */
export function missingFile(node: Node | undefined, runsWhen: "holds" | "fails"): string | undefined {
  const test = node === undefined ? undefined : fileTest(node);
  return test !== undefined && test.there === (runsWhen === "fails") ? test.path : undefined;
}

function fileTest(node: Node): FileTest | undefined {
  switch (node.type) {
    case "Command": {
      const words = [node.name, ...node.suffix].map((word) =>
        word !== undefined && "value" in word && typeof word.value === "string" ? word.value : "",
      );
      const [, not, path] = FILE_TEST.exec(words.join(" ")) ?? [];
      return path === undefined ? undefined : { path, there: not === undefined };
    }
    case "TestCommand":
      return fileExpression(node.expression);
    case "Pipeline": {
      const [only, more] = node.commands;
      const found = only === undefined || more !== undefined ? undefined : fileTest(only);
      const negations = node.prefixes.filter(({ type }) => type === "Negation").length;
      return found && { ...found, there: found.there === (negations % 2 === 0) };
    }
    case "CompoundList": {
      const [only, more] = node.commands;
      if (only === undefined || more !== undefined || only.command.type === "AndOr") return undefined;
      return fileTest(only.command);
    }
    default:
      return undefined;
  }
}

function fileExpression(expression: TestExpression): FileTest | undefined {
  if (expression.type === "TestUnary" && /^-[aefs]$/.test(expression.operator))
    return { path: expression.operand.value, there: true };
  if (expression.type !== "TestNot") return undefined;
  const found = fileExpression(expression.operand);
  return found && { ...found, there: found.there === (expression.negations.length % 2 === 0) };
}

/** Takes back, of the commands from `start` on, that they overwrite a file that is not there when they run. */
export function withoutOverwriting(
  commands: ShellCommand[],
  start: number,
  missing: string | undefined,
): void {
  if (missing === undefined) return;
  for (const [at, command] of commands.entries()) {
    if (at < start || !command.behaviours.some(({ kind }) => kind === "overwrites")) continue;
    const behaviours = command.behaviours.filter(
      ({ kind, target }) => kind !== "overwrites" || !isSamePath(target, missing),
    );
    commands[at] = { ...command, behaviours };
  }
}
