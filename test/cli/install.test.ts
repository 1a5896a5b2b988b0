import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hookCommand, isHookCommand } from "../../src/adapters/settings/hook-command.ts";
import type { Invocation } from "../../src/cli/command-line/command.ts";
import { processScreen } from "../../src/cli/command-line/screen/screen.ts";
import { run as install } from "../../src/cli/commands/integrations/install.ts";
import { run as uninstall } from "../../src/cli/commands/integrations/uninstall.ts";
import { COMMAND_TABLE } from "../../src/cli/table/table.ts";
import { aPerson } from "../support/a-person.ts";
import { runs } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { userEnvironment } from "./support/run-cli.ts";

const HOOKS = `monitor: { watch: false }
hooks:
  definitions:
    - name: guard
      type: inline
      matcher: { events: [PreToolUse, PermissionRequest, Stop] }
      rules: tool equals "Nothing" -> context("Nothing.")
`;

/** A project with these hooks, and a way to call commands in it. */
function project() {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".tenterhook"), { recursive: true });
  mkdirSync(join(cwd, ".claude"));
  writeFileSync(
    join(cwd, ".tenterhook/hooks.yaml"),
    HOOKS.replace(", Stop", "").replace("PermissionRequest", "PostToolUse"),
  );
  const silent = { ...processScreen(), print: () => {}, tell: () => {}, json: () => {} };
  const invocation: Invocation = {
    table: COMMAND_TABLE,
    names: ["claude"],
    options: {},
    json: false,
    screen: silent,
    cwd,
    environment: userEnvironment(folder),
    parent: 1,
    standing: aPerson,
    signal: new AbortController().signal,
  };
  return { file: join(cwd, ".claude/settings.json"), invocation };
}

const handler = fc.record(
  { type: fc.constant("command"), command: fc.string() },
  { requiredKeys: ["type", "command"] },
);
const entry = fc.record(
  { matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) },
  { requiredKeys: ["hooks"] },
);
const events = fc.constantFrom("PreToolUse", "PostToolUse", "Notification");
const settings = fc.record(
  {
    model: fc.string(),
    hooks: fc.dictionary(events, fc.array(entry, { maxLength: 3 })),
    env: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const text = fc
  .tuple(settings, fc.constantFrom(undefined, 0, 1, 2, "\t"), fc.constantFrom("", "\n"), fc.boolean())
  .map(([value, indent, end, carriage]) => {
    const written = `${JSON.stringify(value, undefined, indent)}${end}`;
    return carriage ? written.replaceAll("\n", "\r\n") : written;
  });

/** The hooks in a file that are not ours, by event. */
function theirs(written: string): unknown {
  const { hooks = {} } = JSON.parse(written);
  const lists = Object.entries<readonly { hooks: readonly { command?: string }[] }[]>(hooks).map(
    ([event, list]) => [
      event,
      list.filter(({ hooks: handlers }) => handlers.every(({ command }) => !isHookCommand(command))),
    ],
  );
  return Object.fromEntries(lists.filter(([, list]) => list?.length !== 0));
}

describe("installing into real files", () => {
  it("keeps what is there, does nothing twice, and is undone to the byte", async () => {
    const { file, invocation } = project();
    await fc.assert(
      fc.asyncProperty(text, async (before) => {
        writeFileSync(file, before);
        await install(invocation);
        const once = readFileSync(file, "utf8");
        await install(invocation);
        expect(readFileSync(file, "utf8")).toBe(once);
        expect(once).toContain('tenterhook hook"');
        expect(theirs(once)).toEqual(theirs(before));
        await uninstall(invocation);
        expect(readFileSync(file, "utf8")).toBe(before);
      }),
      { numRuns: runs(5) },
    );
  });

  it("makes the file where there is none, and takes it away again", async () => {
    const { file, invocation } = project();
    await install(invocation);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      hooks: {
        PreToolUse: [
          {
            hooks: [
              { type: "command", command: hookCommand({ gate: true }), timeout: 600, onFailure: "block" },
            ],
          },
        ],
        PostToolUse: [{ hooks: [{ type: "command", command: hookCommand({ gate: false }), timeout: 600 }] }],
      },
    });
    await uninstall(invocation);
    expect(existsSync(file)).toBe(false);
  });
});
