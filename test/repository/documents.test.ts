import { describe, expect, test } from "vitest";
import { filesBelow, read } from "./support/files.ts";

const GUIDES = ["docs/README.md", ...filesBelow("docs/guides", /\.md$/)];

/** Sentences that are longer stand in one guide only. */
const REPEATABLE_WORDS = 12;

const countOf = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

/** The sentences of a page, without its code: in paragraphs, lists and cells of tables. */
function sentencesOf(page: string): readonly string[] {
  const prose = read(page).replaceAll(/^ *```.*?^ *```/gms, "\n\n");
  return prose
    .split(/\n\s*\n|\n\s*[-|]|\n\d+\. | \| |(?<=[.:?])\s+/)
    .map((text) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => countOf(text) > REPEATABLE_WORDS);
}

describe("what people read is short", () => {
  test("25 guides of 29,000 words", () => {
    expect(GUIDES).toHaveLength(25);
    expect(GUIDES.map((page) => countOf(read(page))).reduce((sum, words) => sum + words)).toBeLessThanOrEqual(
      29_000,
    );
  });

  test.each([
    ["AGENTS.md", 600],
    ["CONTRIBUTING.md", 1200],
  ])("%s has at most %i words", (page, most) => {
    expect(countOf(read(page))).toBeLessThanOrEqual(most);
  });

  test("the README has at most 120 lines", () => {
    expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  });
});

test("no sentence of more than twelve words stands twice in the guides", () => {
  const places = new Map<string, string[]>();
  for (const page of GUIDES)
    for (const sentence of sentencesOf(page)) places.set(sentence, [...(places.get(sentence) ?? []), page]);
  expect([...places].filter(([, pages]) => pages.length > 1)).toEqual([]);
});

test("every guide is on the first page", () => {
  const first = read("docs/README.md");
  const missing = GUIDES.slice(1).filter((page) => !first.includes(`(${page.replace("docs/", "")}`));
  expect(missing).toEqual([]);
});
