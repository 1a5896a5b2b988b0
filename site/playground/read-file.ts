import { issueProblems } from "../../src/config/parse/issues.ts";
import { parseYaml } from "../../src/config/parse/parse-yaml.ts";
import { ConfigError, type Problem } from "../../src/config/parse/problem.ts";
import { readDefinitions } from "../../src/config/parse/read-definitions.ts";
import { FILE, isFileContent } from "../../src/config/schema/file.ts";
import { issuesIn } from "../../src/core/base/schemas.ts";
import type { WrittenDefinition } from "../../src/core/registration/hook-definition.ts";

/**
 * Reads a configuration as `tenterhook` does: the same parser, the same tables.
 *
 * @throws ConfigError with everything that is wrong, each at its line.
 */
export function readFile(text: string): {
  readonly use: readonly string[];
  readonly definitions: readonly WrittenDefinition[];
} {
  const parsed = parseYaml("hooks.yaml", text);
  const { value } = parsed;
  if (!isFileContent(value)) throw new ConfigError(issueProblems(issuesIn(value, FILE), parsed, []));
  const problems: Problem[] = [];
  const definitions = readDefinitions(value.hooks?.definitions ?? [], parsed, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const use = (value.hooks?.use ?? []).map((one) => (typeof one === "string" ? one : one.pack));
  return { use, definitions: definitions.map(({ definition }) => definition) };
}
