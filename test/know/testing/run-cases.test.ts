import { existsSync } from "node:fs";
import { join } from "node:path";
import { createHooks, deny } from "tenterhook";
import { type RunCasesOptions, runCases } from "tenterhook/testing";
import { describe, expect, it, test } from "vitest";
import { stringify } from "yaml";
import { project } from "./support.ts";

const WRITE = { tool_name: "Write", tool_input: { file_path: "a.ts", content: "x" } };

function withCases(cases: readonly object[]) {
  return project({ ".tenterhook/tests/cases.yaml": stringify({ cases }) });
}

/** What became of each test, with a runner that can skip. */
async function outcomes(
  { folder, environment }: ReturnType<typeof project>,
  { canSkip = true, ...options }: RunCasesOptions & { readonly canSkip?: boolean } = {},
) {
  const tests = new Map<string, () => Promise<string>>();
  const files = join(folder, ".tenterhook/tests");
  await runCases(options.hooks === undefined ? [] : files, {
    hooks: folder,
    environment,
    test: (name, run) => {
      tests.set(name, async () => {
        let skipped: string | undefined;
        const skip = (why: string): void => {
          skipped = `skipped: ${why}`;
        };
        await run(...(canSkip ? [{ skip }] : []));
        return skipped ?? "passed";
      });
    },
    ...options,
  });
  const ended = [];
  for (const [name, run] of tests)
    ended.push([name, await run().catch((error: unknown) => String(error).replaceAll(folder, "."))]);
  return Object.fromEntries(ended);
}

const EXAMPLE = { "no-force-push decides: git push --force": "passed" };

describe("each case is a test", () => {
  it("that passes, fails with what differs, or is skipped when it is not evaluated", async () => {
    const cases = [
      { name: "refused", bash: "git push --force", expect: { action: "deny" } },
      { name: "free", bash: ["ls", "npm test"], expect: { action: "continue" } },
      { name: "wrong", bash: "ls staging", expect: { action: "deny" } },
      { name: "unknown", event: WRITE, expect: { action: "continue" } },
      { name: "stubbed", event: WRITE, stub: { lint: "" }, expect: { action: "continue" } },
    ];
    const made = withCases(cases);
    expect(await outcomes(made)).toEqual({
      refused: "passed",
      "free: ls": "passed",
      "free: npm test": "passed",
      wrong:
        'Error: ./.tenterhook/tests/cases.yaml:12 failed\naction: expected deny, got ask\nHooks: no-force-push ask (command contains "staging" -> ask("Really?"))',
      unknown: "skipped: lint would decide it: give the case a stub, or `run: true`.",
      stubbed: "passed",
      ...EXAMPLE,
    });
    expect(existsSync(join(made.folder, "ran"))).toBe(false);
  });

  it("that fails when it is not evaluated and the runner can't skip it", async () => {
    const made = withCases([{ name: "unknown", event: WRITE, expect: { action: "continue" } }]);
    expect(await outcomes(made, { canSkip: false })).toEqual({
      unknown: expect.stringContaining("cases.yaml:2 is not evaluated"),
      ...EXAMPLE,
    });
  });

  it("of the hooks that are named", async () => {
    const set = createHooks();
    set.on("PreToolUse", () => deny("No."));
    const made = withCases([{ name: "refused", bash: "ls", expect: { action: "deny", reason: "No." } }]);
    expect(await outcomes(made, { hooks: set })).toEqual({ refused: "passed" });
    expect(await outcomes(made, { hooks: made.file })).toEqual({
      refused: expect.stringContaining("got continue"),
      ...EXAMPLE,
    });
  });
});

it("no case at all, a file that is not there, and a file that is wrong are errors, not silence", async () => {
  const none = { hooks: createHooks(), test: () => {} };
  await expect(runCases([], none)).rejects.toMatchObject({ code: "invalid_option" });
  await expect(runCases("no-such.yaml", none)).rejects.toMatchObject({ code: "usage_error" });
  const { folder, environment } = withCases([{ name: "nothing" }]);
  const wrong = runCases([], { ...none, hooks: folder, environment });
  await expect(wrong).rejects.toMatchObject({ code: "config_invalid" });
});

it("a runner without a global `test` must be passed on, so that no test goes to another", async () => {
  await expect(runCases([], { hooks: createHooks() })).rejects.toMatchObject({
    message: expect.stringContaining("runCases(files, { test })"),
  });
});

// Vitest itself carries these out.
const set = createHooks();
set.on("PreToolUse", ({ tool_input }) => (tool_input.command === "rm" ? deny("No.") : undefined));
await runCases(new URL("cases.yaml", import.meta.url).pathname, { test, hooks: set });
