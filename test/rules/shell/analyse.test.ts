import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import type { ShellAnalysis, ShellCommand } from "../../../src/rules/shell/analysis.ts";
import { compiledFile } from "../../support/setup/compiled-sources.ts";

const BLANK: ShellCommand = {
  name: "",
  flags: [],
  options: [],
  args: [],
  text: "",
  dynamic: false,
  wrapper: false,
  redirections: [],
  reads: [],
  writes: [],
  connects: [],
  behaviours: [],
};

/** Analyses lines in a thread of its own, where nobody has loaded the parser. */
async function analysedWithoutParser(...lines: readonly string[]): Promise<readonly ShellAnalysis[]> {
  const code = `const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.file).then(({ analyseShell }) => parentPort.postMessage(workerData.lines.map((line) => analyseShell(line))));`;
  const file = pathToFileURL(compiledFile("rules/shell/analyse.ts")).href;
  const worker = new Worker(code, { eval: true, workerData: { file, lines } });
  const [analyses] = await once(worker, "message");
  await worker.terminate();
  return analyses;
}

describe("analyseShell", () => {
  it("reads a plain line before the parser is loaded, and any other as unknown", async () => {
    const [plain, other] = await analysedWithoutParser("ls -la src", "ls | wc");
    expect(plain?.commands).toEqual([
      { ...BLANK, name: "ls", flags: ["-l", "-a"], args: ["src"], text: "ls -la src" },
    ]);
    expect(other).toEqual({
      commands: [],
      reads: [],
      writes: [],
      connects: [],
      dynamic: true,
      incomplete: true,
    });
  });

  describe("with the parser", () => {
    beforeAll(loadShellParser);

    it("lists every simple command by itself, so that a rule for one does not cover the next", () => {
      expect(analyseShell("ls; rm -rf /")).toEqual({
        commands: [
          { ...BLANK, name: "ls", text: "ls" },
          {
            ...BLANK,
            name: "rm",
            flags: ["-r", "-f"],
            args: ["/"],
            text: "rm -rf /",
            writes: ["/"],
            behaviours: [
              { kind: "loses", target: "/" },
              { kind: "changes", target: "/" },
            ],
            reaches: [{ access: "writes", path: "/", except: [], certain: true }],
          },
        ],
        reads: [],
        writes: ["/"],
        connects: [],
        dynamic: false,
        incomplete: false,
      });
    });

    it("gives options in one spelling, with their values apart", () => {
      expect(
        analyseShell("curl --request=POST -sSo out.json --url https://Example.com:8080/x").commands,
      ).toEqual([
        {
          ...BLANK,
          name: "curl",
          flags: ["-X", "-s", "-S", "-o", "--url"],
          options: [
            { flag: "-X", value: "POST" },
            { flag: "-o", value: "out.json" },
            { flag: "--url", value: "https://Example.com:8080/x" },
          ],
          text: "curl --request=POST -sSo out.json --url https://Example.com:8080/x",
          writes: ["out.json"],
          connects: ["example.com"],
          behaviours: [{ kind: "changes", target: "out.json" }],
        },
      ]);
    });

    it("shows redirections in the text of a command, except those to nowhere", () => {
      const [command] = analyseShell("sort < in.txt > out.txt 2>/dev/null 2>&1").commands;
      expect(command).toEqual({
        ...BLANK,
        name: "sort",
        text: "sort < in.txt > out.txt",
        redirections: [
          { operator: "<", target: "in.txt" },
          { operator: ">", target: "out.txt" },
          { operator: "2>", target: "/dev/null" },
          { operator: "2>&", target: "1" },
        ],
        reads: ["in.txt"],
        writes: ["out.txt", "/dev/null"],
        behaviours: [
          { kind: "discloses", target: "in.txt" },
          { kind: "changes", target: "out.txt" },
          { kind: "changes", target: "/dev/null" },
        ],
      });
    });

    it("marks wrappers that change nothing but time and limits", () => {
      const wrappers = (line: string) =>
        analyseShell(line).commands.map(({ name, wrapper }) => [name, wrapper]);
      expect(wrappers("timeout 5 nice npm test")).toEqual([
        ["timeout", true],
        ["nice", true],
        ["npm", false],
      ]);
      expect(wrappers("env LD_PRELOAD=/x ls")).toEqual([
        ["env", false],
        ["ls", false],
      ]);
      expect(wrappers("sudo npm test")).toEqual([
        ["sudo", false],
        ["npm", false],
      ]);
    });

    it("puts variables that change which program runs into the text", () => {
      expect(analyseShell("PATH=/evil FOO=1 ls").commands.map(({ text }) => text)).toEqual(["PATH=/evil ls"]);
    });

    it("lists the commands of functions that are never called", () => {
      expect(analyseShell("f() { rm x; }; ls").commands.map(({ text }) => text)).toEqual(["ls", "rm x"]);
    });

    it("returns the cached result for the same line", () => {
      expect(analyseShell("git status && git diff")).toBe(analyseShell("git status && git diff"));
    });
  });
});
