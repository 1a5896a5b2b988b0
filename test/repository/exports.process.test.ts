import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { documented } from "./support/declarations.ts";
import { modules } from "./support/entry-points.ts";
import { mustBeBuilt, ROOT } from "./support/files.ts";

beforeAll(mustBeBuilt);

test("the public surface is what this snapshot says, so that no change of it goes unnoticed", async () => {
  const surface: Record<string, readonly string[]> = {};
  for (const { subpath, default: file } of modules) {
    const exported: object = await import(pathToFileURL(join(ROOT, file)).href);
    surface[subpath] = Object.keys(exported).sort();
  }
  expect(surface).toMatchInlineSnapshot(`
    {
      ".": [
        "EVENTS",
        "HookFailureError",
        "TenterhookError",
        "ToolDeniedError",
        "ToolSuspendedError",
        "ToolTimeoutError",
        "abort",
        "allow",
        "answer",
        "ask",
        "context",
        "createHooks",
        "definePlugin",
        "deny",
        "hook",
        "hookInput",
        "hookTools",
        "isTenterhookError",
        "keepGoing",
        "retry",
        "rewrite",
        "timeLimit",
        "userMessage",
      ],
      "./agent": [
        "Agent",
        "LIST_PRICES",
        "agentPermissions",
        "aiSdkTools",
        "auditLog",
        "compactionHook",
        "costOf",
        "defaultTools",
        "formatAfterEdit",
        "injectContext",
        "judgeWithAgent",
        "mcpTools",
        "openModel",
        "promptStop",
        "promptToolGate",
        "redactResults",
        "scriptedModel",
        "sharedValue",
        "taskTool",
        "todoReminder",
        "tool",
        "usageLogger",
      ],
      "./config": [
        "ConfigError",
        "configJsonSchema",
        "followConfig",
        "grantTrust",
        "loadConfig",
        "problemText",
        "reviewTrust",
        "revokeTrust",
      ],
      "./core": [
        "EVENTS",
        "HookFailureError",
        "TenterhookError",
        "ToolDeniedError",
        "ToolSuspendedError",
        "ToolTimeoutError",
        "abort",
        "allow",
        "answer",
        "ask",
        "context",
        "createHooks",
        "defaultPorts",
        "deny",
        "hook",
        "hookInput",
        "hookTools",
        "idSequence",
        "internals",
        "isTenterhookError",
        "keepGoing",
        "retry",
        "rewrite",
        "systemClock",
        "timeLimit",
        "userMessage",
      ],
      "./dashboard": [
        "dashboardHandler",
      ],
      "./project": [
        "Journal",
        "journalFolder",
        "openHooks",
        "readJournal",
        "recordedStats",
      ],
      "./rules": [
        "PACKS",
        "analyseShell",
        "compileCommandCover",
        "compileCommandPatterns",
        "compileInlineRules",
        "compileWhen",
        "loadShellParser",
        "openInlineRules",
        "shellParserLoaded",
      ],
      "./stores": [
        "jsonlStore",
        "memoryStore",
        "postgresStore",
        "sqliteStore",
      ],
      "./testing": [
        "hookMatchers",
        "recordEvents",
        "runCases",
        "scriptedModel",
        "storeSuite",
        "testHooks",
      ],
    }
  `);
});

test.each(modules)("every export of $subpath has a doc comment", ({ types }) => {
  const bare = [...documented(join(ROOT, types))].flatMap(([name, isDocumented]) =>
    isDocumented ? [] : [name],
  );
  expect(bare).toEqual([]);
});

test.each(modules)("the doc comments of $subpath cover every runtime export", async (entry) => {
  const exported: object = await import(pathToFileURL(join(ROOT, entry.default)).href);
  expect([...documented(join(ROOT, entry.types)).keys()]).toEqual(
    expect.arrayContaining(Object.keys(exported)),
  );
});
