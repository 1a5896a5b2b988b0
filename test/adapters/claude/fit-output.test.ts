import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fittedOutput } from "../../../src/adapters/claude/fit-output.ts";
import { runs } from "../../support/long.ts";

const SHELL = { stdout: "secret", stderr: "secret", interrupted: false, isImage: false };
const READ = { type: "text", file: { filePath: "/a", content: "secret", numLines: 1 } };
const FOUND = { mode: "files", filenames: ["/a", "/b"], numFiles: 2, limit: null };

describe("another result of a tool of Claude Code", () => {
  it.each<[string, unknown, object, unknown]>([
    ["a text for a shell", "clean", SHELL, { ...SHELL, stdout: "clean", stderr: "" }],
    ["a text for a file", "clean", READ, { ...READ, file: { ...READ.file, content: "clean" } }],
    ["a part of it", { stdout: "clean" }, SHELL, { ...SHELL, stdout: "clean", stderr: "" }],
    [
      "a deeper part of it",
      { file: { numLines: 9 } },
      READ,
      { type: "text", file: { ...READ.file, content: "", numLines: 9 } },
    ],
    ["a shorter list", { filenames: ["/a"] }, FOUND, { ...FOUND, filenames: ["/a"] }],
    ["an empty list", { filenames: [] }, FOUND, { ...FOUND, filenames: [] }],
  ])("that is %s gets the shape of the old one", (_what, output, tool_response, fitted) => {
    expect(fittedOutput(output, { tool_name: "Any", tool_response })).toEqual({ output: fitted });
  });

  it.each<[string, unknown, object | undefined]>([
    ["a text where no place for one is known", "clean", FOUND],
    ["a key the tool does not give", { stdout: "clean", note: "x" }, SHELL],
    ["another kind of value", { stdout: 7 }, SHELL],
    ["a list for a text", { stdout: ["clean"] }, SHELL],
    ["nothing for a text", { stdout: null }, SHELL],
    ["another word for its shape", { type: "image" }, READ],
    ["items of another kind", { filenames: [{ path: "/a" }] }, FOUND],
    ["a list", [{ type: "text", text: "clean" }], SHELL],
    ["anything, when the old one is not known", { stdout: "clean" }, undefined],
  ])("that is %s does not fit", (_what, output, tool_response) => {
    expect(fittedOutput(output, { tool_name: "Any", tool_response })).toBeUndefined();
  });

  it("of a server is taken as a text or as content", () => {
    const payload = { tool_name: "mcp__one__two", tool_response: [{ type: "text", text: "secret" }] };
    const content = [{ type: "text", text: "clean" }];
    expect([fittedOutput("clean", payload), fittedOutput(content, payload)]).toEqual([
      { output: "clean" },
      { output: content },
    ]);
    expect(fittedOutput({ text: "clean" }, payload)).toBeUndefined();
  });

  it("that is the old one stays as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (tool_response) => {
        const same: unknown = JSON.parse(JSON.stringify(tool_response));
        expect(fittedOutput(same, { tool_name: "Any", tool_response: same })).toEqual({ output: same });
      }),
      { numRuns: runs(100) },
    );
  });
});
