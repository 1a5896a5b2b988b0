import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { openModel } from "../../src/agent/model/open-model.ts";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { EVENTS, isGateEvent } from "../../src/core/events/event-table.ts";
import { readReplyText } from "../../src/handlers/reply/read-reply.ts";
import { readCases } from "../../src/know/cases/case-file.ts";
import { project } from "../config/support/project.ts";
import { anEvent } from "../handlers/reply/support.ts";
import { filesBelow, read, temporaryFolder } from "./support/files.ts";
import { type Block, blocks, brokenLinks, emptyLists, linksOutOfPackage, PAGES } from "./support/guides.ts";
import { RUNTIMES } from "./support/runtimes.ts";

const all = blocks();
const written = (language: string): readonly Block[] => all.filter((block) => block.language === language);

const pages = [...PAGES, ...filesBelow("docs/reference", /\.md$/)];
/** For those who join: the package does not have these. */
const ownPages = [
  ...["AGENTS.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "test/README.md"],
  ...filesBelow("docs/contributing", /\.md$/),
];
const records = filesBelow("docs/contributing/decisions", /^\d{4}-.*\.md$/);

test("every link of the pages leads to a file, and to a heading that is there", () => {
  expect([...pages, ...ownPages].flatMap(brokenLinks)).toEqual([]);
});

test("the index of the decisions leads to every one of them", () => {
  const index = read("docs/contributing/decisions/README.md");
  expect(records.filter((record) => !index.includes(`(${basename(record)})`))).toEqual([]);
});

test("every link of the pages leads to a file that users have", () => {
  expect(pages.flatMap(linksOutOfPackage)).toEqual([]);
});

test("no list of a generated page is empty", () => {
  expect(filesBelow("docs/reference", /\.md$/).flatMap(emptyLists)).toEqual([]);
});

test("the guide on failures lists the gates of the table", () => {
  const guide = read("docs/guides/deciding.md");
  const listed = /On gates \(([^)]*)\)/.exec(guide)?.[1]?.split(/,\s+/);
  expect(listed).toEqual(Object.keys(EVENTS).filter(isGateEvent));
});

test("the page of agents leads to the page of every agent", () => {
  const page = read("docs/reference/agents.md");
  expect(AGENT_NAMES.filter((name) => !page.includes(`(agents/${name}.md)`))).toEqual([]);
});

test("every condition in the table of the guide on rules is one", async () => {
  const [, table = ""] = /^\| write \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(read("docs/guides/rules.md")) ?? [];
  const conditions = [...table.matchAll(/^\| `(.*?)` \|/gm)].map(([, condition = ""]) => condition);
  expect(conditions.length).toBe(table.trim().split("\n").length);
  const rules = conditions.map((condition) => `${condition} -> deny("No.")`).join("\n");
  const files = project({
    "hooks.json": JSON.stringify({
      hooks: { definitions: [{ name: "x", type: "inline", matcher: { events: ["PreToolUse"] }, rules }] },
    }),
  });
  expect(await files.refused()).toEqual(["loaded", ""]);
});

test("every reply in the guide on replies is read, and says something", () => {
  const replies = written("json")
    .filter(({ page }) => page.endsWith("replies.md"))
    .flatMap(({ text }) => text.trim().split(/\n(?=\{)/));
  const read = replies.map((text) => readReplyText(text, anEvent("PreToolUse")).map(({ type }) => type));
  expect(read).toEqual([["deny"], ["rewrite"], ["ask"], ["deny"]]);
});

test("the guide on runtimes names the versions that are tested", () => {
  const guide = read("docs/guides/hooks-in-code.md");
  for (const [name, { version }] of Object.entries(RUNTIMES))
    expect(guide).toContain(`| ${name} | ${version} `);
  expect(`>=${RUNTIMES["Node 20"].version}`.startsWith(manifest.engines.node)).toBe(true);
});

describe("every configuration in the guides loads", () => {
  const isScript = ({ page }: Block): boolean => page.endsWith("models.md");

  const isCases = ({ page, text }: Block): boolean =>
    page.endsWith("testing.md") && !text.startsWith("hooks:");

  const namesPolicy = ({ text }: Block): boolean => text.includes("git+https://");

  test.each(written("yaml").filter((block) => !isScript(block) && !isCases(block) && !namesPolicy(block)))(
    "the configuration $name loads",
    async ({ text }) => {
      const value: unknown = parse(text);
      // A list is a part of a file: its definitions.
      const config = Array.isArray(value) ? { hooks: { definitions: value } } : value;
      const files = project({ "hooks.json": JSON.stringify(config), "team.yaml": "{}" });
      expect(await files.refused()).toEqual(["loaded", ""]);
    },
  );

  test.each(written("yaml").filter(namesPolicy))("$name, when its policy is fetched", async ({ text }) => {
    const [code, message] = await project({ "managed/hooks.yaml": text }).refused();
    const problems = message
      .split("\n")
      .filter((line) => !/is not here yet. tenterhook update|has 2 problems/.test(line));
    expect([code, problems]).toEqual(["config_invalid", []]);
  });

  test.each(written("yaml").filter(isCases))("$name, as test cases", async ({ text }) => {
    const file = join(temporaryFolder(), "cases.yaml");
    writeFileSync(file, text.includes("cases:") ? text : `cases:\n${text}`);
    expect((await readCases(file)).length).toBeGreaterThan(0);
  });

  test.each(written("yaml").filter(isScript))("$name, as a script of a model", async ({ text }) => {
    const file = join(temporaryFolder(), "script.yaml");
    writeFileSync(file, text);
    expect((await openModel(`scripted:${file}`, { environment: {} })).provider).toBe("scripted");
  });
});
