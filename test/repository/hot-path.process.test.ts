import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "./support/files.ts";

const DIST = new URL("../../dist/", import.meta.url);

beforeAll(mustBeBuilt);

/** The text of a built file. */
function built(name: string): string {
  return readFileSync(new URL(name, DIST), "utf8");
}

/** Names that survive minifying, of what agents must not wait for before every tool. */
const SLOW = {
  "the YAML parser": "YAMLParseError",
  "the TOML parser": "TomlDate",
  "the parser of arguments": "CommanderError",
  "the table of providers": "api.anthropic.com",
  "the agent loop": "scriptedModel",
};

describe("the file of tenterhook hook", () => {
  const commands = readdirSync(new URL("commands/", DIST)).map((name) => built(`commands/${name}`));

  it.each(Object.entries(SLOW))("does not contain %s, which the commands do", (_, mark) => {
    expect(built("hook.cjs")).not.toContain(mark);
    expect(commands.some((text) => text.includes(mark))).toBe(true);
  });

  it("is complete but for what reads files of a configuration and asks models", () => {
    const files = [...built("hook.cjs").matchAll(/require\("(\.[^"]+)"\)/g)].map(([, name]) => name);
    expect([...new Set(files)].sort()).toEqual([
      "./commands/make-with-models.cjs",
      "./commands/read-config.cjs",
    ]);
  });
});

it("names the files that commands share by their content, so that a running daemon finds none of another version", () => {
  const files = readdirSync(new URL("commands/", DIST));
  const entries = files.filter((name) => !/-[\w-]{7}\.cjs$/.test(name));
  // What the hook loads, too, has a name without one: a daemon whose program was installed again decides nothing any more.
  expect(entries.sort()).toEqual(["main.cjs", "make-with-models.cjs", "read-config.cjs"]);
});
