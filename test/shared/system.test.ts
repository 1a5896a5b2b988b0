import { win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { pathsOf } from "../../src/shared/system/file-view.ts";
import { placesOf } from "../../src/shared/system/places.ts";
import { systemOf } from "../../src/shared/system/system.ts";

describe("what differs between systems", () => {
  it("is told by the table, and a system that is not in it is like Linux", () => {
    expect(systemOf("freebsd")).toBe(systemOf("linux"));
    expect(["linux", "darwin", "win32"].map((name) => systemOf(name).ignoresCase)).toEqual([
      false,
      true,
      true,
    ]);
    expect(systemOf("win32")).toEqual({
      ignoresCase: true,
      fileModes: false,
      opensFolders: false,
      posixShell: false,
    });
    expect(placesOf("freebsd")).toBe(placesOf("linux"));
    const { word: _, ...places } = placesOf("win32");
    expect(places).toEqual({
      managedConfig: "C:\\ProgramData\\Tenterhook\\hooks.yaml",
      managedClaude: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
      managedGemini: "C:\\ProgramData\\gemini-cli\\settings.json",
      opener: ["rundll32", "url.dll,FileProtocolHandler"],
    });
  });

  it.each([
    ["plain-word", "plain-word", "plain-word"],
    ["C:\\Users\\ann\\hooks.yaml", "'C:\\Users\\ann\\hooks.yaml'", "C:\\Users\\ann\\hooks.yaml"],
    ["two words", "'two words'", "'two words'"],
    ["it's", "'it'\\''s'", "'it''s'"],
    ["a\u2019b", "'a\u2019b'", "'a\u2019\u2019b'"],
    ["$HOME", "'$HOME'", "'$HOME'"],
    ["a,b", "a,b", "'a,b'"],
    ["@here", "@here", "'@here'"],
    ["100%", "100%", "'100%'"],
    ["", "''", "''"],
  ])("is how a word is quoted: %s", (text, posix, powerShell) => {
    expect([placesOf("linux").word(text), placesOf("win32").word(text)]).toEqual([posix, powerShell]);
  });
});

describe("paths of Windows", () => {
  const links: Readonly<Record<string, string>> = {
    "C:\\shop\\link": "D:\\secret",
    "C:\\shop\\near": "..\\other",
  };
  const there = /^(?:C:\\shop(?:\\link|\\near|\\src)?|D:\\secret|C:\\other|C:\\Users(?:\\ann)?)$/;
  const paths = pathsOf({
    syntax: win32,
    home: "C:\\Users\\ann",
    entryAt: (path) => {
      const to = links[path];
      if (to !== undefined) return { is: "link", to };
      return there.test(path) ? { is: "folder" } : undefined;
    },
    trueSpelling: (path) => path.replace(/^c:/, "C:"),
  });

  it.each([
    ["src\\a.ts", ["C:\\shop\\src\\a.ts"]],
    ["src/a.ts", ["C:\\shop\\src\\a.ts"]],
    ["~\\.ssh\\id", ["C:\\Users\\ann\\.ssh\\id"]],
    ["~/.ssh/id", ["C:\\Users\\ann\\.ssh\\id"]],
    ["D:\\x\\..\\y", ["D:\\y"]],
    ["link\\key", ["C:\\shop\\link\\key", "D:\\secret\\key"]],
    ["near/a", ["C:\\shop\\near\\a", "C:\\other\\a"]],
    ["\\\\server\\share\\a", ["\\\\server\\share\\a"]],
  ])("mean these files: %s", (path, spellings) => {
    expect(paths.spellings(path, "C:\\shop")).toEqual(spellings);
  });
});
