import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPlayground } from "../../scripts/playground.mjs";
import { DEFAULTS } from "../../site/playground/address.ts";
import { type Judged, judge, judgesOn } from "../../site/playground/engine.ts";
import type { Answers } from "../../site/playground/machine.ts";
import type { PackName } from "../../src/core/registration/plugin.ts";
import { createHooks } from "../../src/index.ts";
import { nodeFiles, nodeRulePorts } from "../../src/node/ports.ts";
import type { FileEntry } from "../../src/shared/system/file-view.ts";
import { pageOpener } from "../dashboard/support/browser.ts";
import { filesBelow, read } from "../repository/support/files.ts";
import { type LabelledLine, LISTS, labelledLines } from "../rules/packs/corpus.ts";
import { sampled } from "../support/long.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { served } from "./support/serve.ts";

/** Brotli bytes of all files together, those that are loaded when they are needed included. */
const MOST_BYTES = 300_000;
const PACKS: readonly PackName[] = ["safe-shell", "protect-secrets", "git-safety", "no-network"];

interface Example {
  readonly call: string;
  readonly says: string;
  readonly files?: string;
}

const EXAMPLES: readonly Example[] = JSON.parse(read("site/examples.json"));

const openPage = pageOpener();

/** Every command of the corpus once. */
function corpus(): readonly string[] {
  const lines = LISTS.flatMap((list): readonly LabelledLine[] => labelledLines(list));
  return [...new Set(lines.map(({ command }) => command))];
}

/** What the file system answered, as data for a page. */
interface Recorded {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Nothing is `null`. */
  readonly entries: Record<string, FileEntry | "nobody can look" | null>;
  /** Too much to look at is `null`. */
  readonly everything: Record<string, readonly string[] | null>;
}

/** The file system of this machine, which notes what it answers. */
function recording(): { readonly answers: Answers; readonly recorded: Recorded } {
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const recorded: Recorded = { home: nodeFiles.home, environment, entries: {}, everything: {} };
  const answers: Answers = {
    home: recorded.home,
    environment,
    entryAt(path) {
      try {
        const entry = nodeFiles.entryAt(path);
        recorded.entries[path] = entry ?? null;
        return entry;
      } catch (error) {
        recorded.entries[path] = "nobody can look";
        throw error;
      }
    },
    everythingIn(path) {
      const found = nodeRulePorts.everythingIn(path);
      recorded.everything[path] = found ?? null;
      return found;
    },
  };
  return { answers, recorded };
}

/** A folder with what the lines of the corpus speak of, links among it. */
function project(): string {
  const folder = realpathSync(temporaryFolder());
  for (const name of ["src", "build", "node_modules/a", "outside"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of [".env", "src/index.ts", "package.json", "app.sqlite3", "outside/key.pem"])
    writeFileSync(join(folder, name), "x");
  symlinkSync("/etc", join(folder, "link"));
  symlinkSync("outside", join(folder, "dist"));
  symlinkSync("/", join(folder, "tmp"));
  return folder;
}

/** Judges lines by recorded answers. A question that Node did not ask is told, too. */
function inThePage(given: object): string {
  return `(async ({ lines, packs, cwd, recorded: { home, environment, entries, everything } }) => {
    const { judgesOn } = await import("/engine/engine.js");
    const unknown = [];
    const known = (table, path) => {
      if (!(path in table)) unknown.push(path);
      if (table[path] === "nobody can look") throw new Error(path);
      return table[path] ?? undefined;
    };
    const answers = {
      home,
      environment,
      entryAt: (path) => known(entries, path),
      everythingIn: (path) => known(everything, path),
    };
    const judge = judgesOn(answers, cwd);
    const decisions = [];
    for (const call of lines) {
      const { agent, decision: { action, reason }, reply } = await judge({ call, rules: "", packs });
      decisions.push({ agent, action, reason, reply });
    }
    return { decisions, unknown };
  })(${JSON.stringify(given)})`;
}

/** The parts that a page tells, as they are after a trip through JSON. */
function said({ agent, decision: { action, reason }, reply }: Partial<Judged> & Pick<Judged, "decision">) {
  return { agent, action, reason, reply };
}

/** A payload of each tool call that was recorded with the real agents, about a line that packs stop. */
function payloads(): readonly string[] {
  const files = filesBelow("test/fixtures", /^(?:PreToolUse|BeforeTool|preToolUse).*\.json$/);
  return files.map((file) => read(file));
}

describe("the playground's engine", () => {
  leaveOut(notLinux);
  const folder = temporaryFolder(afterAll);
  beforeAll(async () => {
    await buildPlayground(join(folder, "engine"));
    writeFileSync(
      join(folder, "index.html"),
      "<!doctype html><link rel=icon href=data:,><title>engine</title>",
    );
  });

  it("is not larger than 300 kB after brotli", () => {
    const files = readdirSync(join(folder, "engine"));
    const bytes = files.map((file) => brotliCompressSync(readFileSync(join(folder, "engine", file))).length);
    const sum = bytes.reduce((total, one) => total + one, 0);
    expect(sum).toBeGreaterThan(MOST_BYTES / 2);
    expect(sum).toBeLessThanOrEqual(MOST_BYTES);
  });

  it("says about the examples of the home page what that says", async () => {
    const state = (given: Example) => ({ ...DEFAULTS, ...given, packs: PACKS.slice(0, 3) });
    const found = await Promise.all(EXAMPLES.map(async (one) => judge(state(one), state(one))));
    const actions = found.map((one) => ("judged" in one ? one.judged.decision.action : one.problem));
    expect(actions).toEqual(EXAMPLES.map(({ says }) => says));
  });

  it("decides in Chromium what the package decides in Node, with the same answers about files", async () => {
    const lines = sampled(corpus(), 40);
    const ofAgents = payloads();
    expect(ofAgents.length).toBeGreaterThan(10);
    const cwd = project();
    const hooks = createHooks();
    await hooks.use(...PACKS);
    const { answers, recorded } = recording();
    const judge = judgesOn(answers, cwd);
    const expected: unknown[] = [];
    for (const command of lines) {
      const tool_input = { command };
      const event = { hook_event_name: "PreToolUse", session_id: "s", cwd, tool_name: "Bash", tool_input };
      expected.push(said({ decision: await hooks.fireUntyped(event) }));
      // Asks the file system the same, so that its answers are recorded.
      await judge({ call: command, rules: "", packs: PACKS });
    }
    for (const call of ofAgents) expected.push(said(await judge({ call, rules: "", packs: PACKS })));
    const { page, errors } = await openPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const origin = await served(folder);
    await page.goto(origin);
    const given = { lines: [...lines, ...ofAgents], recorded, cwd, packs: PACKS };
    const found: unknown = await page.evaluate(inThePage(given));
    expect(found).toEqual({ decisions: expected, unknown: [] });
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    // A corpus that no rule stops, or all do, would prove nothing.
    const actions = new Set(expected.map((one) => JSON.stringify(one).slice(0, 20)));
    expect(actions.size).toBeGreaterThan(2);
  });
});
