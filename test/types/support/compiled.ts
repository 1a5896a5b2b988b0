import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustBeBuilt, ROOT, temporaryFolder } from "../../repository/support/files.ts";
import { compile } from "../../repository/support/run.ts";

/**
 * Compiles small programs against the built declarations, all at once, with the project's own options.
 *
 * @returns the first line of each of the compiler's errors by program; a line that belongs to none is a key of its own.
 */
export async function errorsOf(
  programs: Readonly<Record<string, string>>,
): Promise<Record<string, string[]>> {
  mustBeBuilt();
  const folder = temporaryFolder();
  const names = Object.keys(programs);
  for (const [number, name] of names.entries())
    writeFileSync(join(folder, `${number}.mts`), programs[name] ?? "");
  const tsconfig = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      paths: {
        tenterhook: [join(ROOT, "dist/index.d.ts")],
        "tenterhook/agent": [join(ROOT, "dist/agent.d.ts")],
        zod: [join(ROOT, "node_modules/zod/index.d.ts")],
      },
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    include: ["*.mts"],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));

  const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  const { output } = await compile(folder, "-p", ".", "--pretty", "false");
  for (const line of output.split("\n").filter((text) => /^\S/.test(text))) {
    const [, number, error = ""] = /^(\d+)\.mts\(\d+,\d+\): error (TS\d+: .*)/.exec(line) ?? [];
    const name = names[Number(number)] ?? line;
    found[name] = [...(found[name] ?? []), error];
  }
  return found;
}
