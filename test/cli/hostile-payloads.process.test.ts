import { beforeAll, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { newProject, shellCall } from "./support/project.ts";

beforeAll(mustBeBuilt);

/** A payload in Latin-1: a character up to U+00FF becomes that byte. */
function bytes(cwd: string, command: string): Uint8Array {
  const payload = { session_id: "s1", cwd, tool_use_id: "t1", ...shellCall(command) };
  return Buffer.from(JSON.stringify(payload), "latin1");
}

it.each<readonly [attack: string, make: (cwd: string) => Uint8Array]>([
  ["a byte that is not UTF-8", (cwd) => bytes(cwd, "cat key\xff")],
  ["half a character", (cwd) => bytes(cwd, "cat key\xe2\x82")],
  ["a surrogate as bytes", (cwd) => bytes(cwd, "cat key\xed\xa0\x80")],
  ["UTF-16 text", (cwd) => Buffer.from(`\ufeff${bytes(cwd, "ls")}`, "utf16le")],
])("the program refuses a payload that is no text: %s", async (_, make) => {
  const project = newProject();
  expect(await project.start(["hook"], make(project.cwd))).toEqual({
    code: 2,
    stdout: "",
    stderr: "tenterhook could not read the event: it is not UTF-8 text.\n",
  });
});
