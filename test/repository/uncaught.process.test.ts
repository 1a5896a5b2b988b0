import { describe, expect, test } from "vitest";
import { isNarrow, LINE, thrownInProject } from "./support/uncaught.ts";

const REGISTRATIONS = {
  "a misspelt event": ['hooks.on("PreTolUse", () => undefined);', 'Did you mean "PreToolUse"?'],
  "a bad pattern": ['hooks.on("PreToolUse", { tools: "/(/" }, () => {});', "can't be compiled"],
  "an unknown option of a hook": ['hooks.on("PreToolUse", { tool: "Bash" }, () => {});', '"tool"'],
  "a hook that is no function": ['hooks.on("PreToolUse", "deny");', "needs a function"],
  "an unknown option of createHooks": ["createHooks({ timout: 3 });", '"timout"'],
  "an unknown limit": ["hooks.configure({ limits: { stops: 3 } });", '"stops"'],
  "a declaration of no event": ['hooks.declare("deploy", { effects: [] });', '"deploy"'],
  "a set that is none": ["hooks.include({});", "createHooks"],
  "an unknown option of an agent": ["new Agent({ model, modle: 1 });", '"modle"'],
  "a bad permission": ['new Agent({ model, permissions: { deny: ["Bash("] } });', "closing parenthesis"],
  "a bad permission on its own": ['agentPermissions({ deny: ["Bash("] });', "closing parenthesis"],
} as const;

const { uncaught, thrown } = thrownInProject();

/** Where the stack of a registration's error begins, what it says, and whether a person can read it. */
function registrationSeen(lines: readonly string[], says: string) {
  const cause = lines.findIndex((line) => line.startsWith("  [cause]: "));
  return {
    says: lines.find((line) => line.startsWith("TenterhookError: "))?.includes(says),
    begins: lines.find((line) => line.startsWith("    at "))?.includes(`program.mjs:${LINE}:`),
    isShort: lines.slice(0, cause === -1 ? undefined : cause).length <= 15 && lines.every(isNarrow),
  };
}

describe("an error that a user's program does not catch", () => {
  test("begins its stack at the user's call when a registration is wrong", async () => {
    const found = await thrown(REGISTRATIONS);
    const seen = Object.entries(REGISTRATIONS).map(([name, [code, says]]) => [
      name,
      registrationSeen(found.get(code) ?? [], says),
    ]);
    const right = { says: true, begins: true, isShort: true };
    expect(seen).toEqual(Object.keys(REGISTRATIONS).map((name) => [name, right]));
  });

  test("ends the process with few lines, none of which is one of our minified ones", async () => {
    const [code, says] = REGISTRATIONS["a misspelt event"];
    const right = { says: true, begins: true, isShort: true };
    expect(registrationSeen(await uncaught(code), says)).toEqual(right);
  });
});
