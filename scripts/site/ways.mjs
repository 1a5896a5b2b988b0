// The site's order is that of docs/README.md: six ways in, each a paragraph that begins with its name.

/**
 * @typedef {{ text: string, link: string }} Link
 * @typedef {{ name: string, text: string, links: Link[] }} Way
 */

/**
 * @param {string} readme
 * @returns {Way[]} the ways in.
 */
export function waysIn(readme) {
  return sectionOf(readme, "Where to begin")
    .split(/\n{2,}/)
    .flatMap((paragraph) => {
      const [, name, text] = /^\*\*(.+?)\.\*\*\s+([\s\S]+)$/.exec(paragraph.trim()) ?? [];
      if (name === undefined || text === undefined) return [];
      return { name, text: text.replaceAll(/\s*\n/g, " "), links: linksIn(text) };
    });
}

/** @param {string} readme */
export function lookUp(readme) {
  return linksIn(sectionOf(readme, "Look something up")).filter(({ link }) => link.startsWith("reference/"));
}

/**
 * @param {string} readme
 * @param {string} heading
 */
function sectionOf(readme, heading) {
  const [, section = ""] = readme.split(`\n## ${heading}\n`);
  return section.split("\n## ")[0] ?? "";
}

/** @param {string} text */
function linksIn(text) {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map(([, name = "", link = ""]) => ({
    text: name.replaceAll(/\s+/g, " "),
    link,
  }));
}

/**
 * @param {string} page
 * @returns the title of a page, and the first paragraph below it.
 */
export function headOf(page) {
  const text = page.replace(/^<!--[\s\S]*?-->\s*/, "");
  const title = /^# (.+)$/m.exec(text)?.[1] ?? "";
  const paragraphs = text.split(/\n{2,}/).slice(1);
  const first = paragraphs.find((one) => /^[A-Z`*[]/.test(one)) ?? "";
  return { title, summary: first.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/\s*\n/g, " ") };
}

/**
 * @param {string} page docs/reference/obedience.md
 * @returns {{ agent: string, version: string, date: string, results: Record<string, string> }[]} what each agent did.
 */
export function provenIn(page) {
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  const [names = [], , ...agents] = rows.map((row) => row.slice(2, -2).split(" | "));
  return agents.map(([agent = "", version = "", date = "", ...results]) => ({
    agent,
    version,
    date,
    results: Object.fromEntries(results.map((result, at) => [names[at + 3] ?? "", result])),
  }));
}
