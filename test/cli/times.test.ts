import { describe, expect, it } from "vitest";
import { newProject } from "./support/project.ts";

describe.each([
  "away --for",
  "agents wait claude-1 --timeout",
  "log --since",
  "monitor token create --role reporter --expires",
])("tenterhook %s", (command) => {
  it.each(["soon", "3months", "1.5.2h", "99999999999999h"])("names %s, which is no time", async (time) => {
    const { code, stderr } = await newProject().run([...command.split(" "), time]);
    expect(stderr).toMatch(/^usage_error: --\w+: ".*" is (?:no|not a) time\./);
    expect(code).toBe(2);
  });
});
