import { describe, expect, it } from "vitest";
import { lengthOfTime } from "../../src/cli/command-line/times.ts";
import { newProject } from "./support/project.ts";

describe.each([
  "away",
  "agents wait claude-1 --timeout",
  "log --since",
  "monitor token create --role reporter --expires",
])("tenterhook %s", (command) => {
  it.each(["soon", "3months", "1.5.2h", "99999999999999h"])("names %s, which is no time", async (time) => {
    const { code, stderr } = await newProject().run([...command.split(" "), time]);
    expect(stderr).toMatch(/^(?:--\w+: )?".*" is not a time\./);
    expect(code).toBe(2);
  });
});

it.each([
  ["250ms", 250],
  ["1.5s", 1500],
  ["30m", 1_800_000],
  ["30min", 1_800_000],
  ["2 hours", 7_200_000],
  ["7D", 604_800_000],
  ["1 week", 604_800_000],
])("%s is %d milliseconds", (text, milliseconds) => {
  expect(lengthOfTime(text)).toBe(milliseconds);
});
