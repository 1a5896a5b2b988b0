import { createHooks, deny } from "tenterhook";
import { hookMatchers, testHooks } from "tenterhook/testing";
import { expect, it } from "vitest";
import "./matcher-types.ts";
import { project } from "./support.ts";

expect.extend(hookMatchers);

const WRITE = { tool_name: "Write", tool_input: { file_path: "a.ts", content: "x" } };

async function opened() {
  const { folder, environment } = project();
  return testHooks(folder, { environment });
}

/** What a failing assertion says. */
function saidBy(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "passed";
}

it("matchers pass for what was decided, and only for that", async () => {
  const hooks = await opened();
  const [refused, asked, free, rewritten] = await Promise.all(
    ["git push --force", "ls staging", "ls", "./deploy.sh"].map((line) => hooks.bash(line)),
  );
  expect(refused).toDeny();
  expect(refused).toDeny("Use --force-with-lease.");
  expect(refused).toDeny(/with-lease/g);
  expect(refused).not.toDeny("Use");
  expect(refused).not.toAsk();
  expect(refused).not.toContinue();
  expect(asked).toAsk(/^Really/);
  expect(asked).not.toDeny();
  expect(asked).not.toContinue();
  expect(free).toContinue();
  expect(free).not.toRewriteTo({ command: "ls" });
  expect(rewritten).toContinue();
  expect(rewritten).toRewriteTo({ command: "./deploy.sh --dry-run" });
  expect(rewritten).toRewriteTo({ command: /--dry-run$/ });
  expect(rewritten).not.toRewriteTo({ command: "./deploy.sh" });
  expect(rewritten).not.toRewriteTo({ other: 1 });
});

it("a matcher that fails says what was expected, what came, and which hooks took part", async () => {
  const hooks = await opened();
  const refused = await hooks.bash("git push --force");
  const free = await hooks.bash("ls");
  const rule = 'command runs "git push --force" -> deny("Use --force-with-lease.")';
  expect([
    saidBy(() => expect(free).toDeny(/lease/)),
    saidBy(() => expect(refused).not.toDeny()),
    saidBy(() => expect(refused).toRewriteTo({ command: "ls" })),
  ]).toEqual([
    "expect(decision).toDeny\naction: expected deny, got continue\nreason: expected /lease/, got nothing\nNo hook had anything to say.",
    `expect(decision).not.toDeny\nThe hooks decided deny.\nHooks: no-force-push deny (${rule})`,
    `expect(decision).toRewriteTo\naction: expected no refusal, got deny\nHooks: no-force-push deny (${rule})`,
  ]);
});

it("nothing can be said while a hook was not asked that could change the decision", async () => {
  const hooks = await opened();
  const open = await hooks.fire(WRITE);
  const unclear = (matcher: string) =>
    `expect(decision).${matcher}\nlint was not asked and could decide otherwise: give it a stub, or \`run: true\`.\nHooks: lint not evaluated`;
  expect([
    saidBy(() => expect(open).toContinue()),
    saidBy(() => expect(open).not.toDeny()),
    saidBy(() => expect(open).toDeny()),
  ]).toEqual(["toContinue", "not.toDeny", "toDeny"].map(unclear));
});

it("matchers take the decision of a hook set, and nothing else", async () => {
  const set = createHooks();
  set.on("PreToolUse", () => deny("No."));
  const event = {
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/",
    tool_name: "Bash",
    tool_input: {},
  };
  expect(await set.fireUntyped(event)).toDeny("No.");
  const forgotten = set.fireUntyped(event);
  expect(saidBy(() => expect(forgotten).toDeny())).toBe(
    "toDeny takes a decision of hooks. Is an `await` missing?",
  );
  await forgotten;
});
