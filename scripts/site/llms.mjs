// What models read: an index of all pages, and all of them in one file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { headOf, lookUp, waysIn } from "./ways.mjs";

/**
 * @param {string} root
 * @param {ReadonlyMap<string, string>} pages
 */
export function llmsIndex(root, pages) {
  const readme = readFileSync(join(root, "docs/README.md"), "utf8");
  const ways = waysIn(readme);
  const listed = new Set();
  const section = (/** @type {string} */ name, /** @type {{ link: string }[]} */ links) => {
    const lines = links.flatMap(({ link }) => {
      const path = link.replace(/#.*/, "");
      const text = pages.get(path);
      if (text === undefined || listed.has(path)) return [];
      listed.add(path);
      const { title, summary } = headOf(text);
      return `- [${title}](/${path})${summary === "" ? "" : `: ${summary}`}`;
    });
    return lines.length === 0 ? "" : `## ${name}\n\n${lines.join("\n")}\n`;
  };
  const parts = [
    ...ways.map(({ name, links }) => section(name, links)),
    section("Look something up", lookUp(readme)),
    section(
      "More",
      [...pages.keys()]
        .filter((path) => path !== "index.md")
        .sort()
        .map((link) => ({ link })),
    ),
  ];
  return [`# Tenterhook\n\n> ${headOf(readme).summary}\n`, ...parts.filter((part) => part !== "")].join("\n");
}

/**
 * @param {string} root
 * @param {ReadonlyMap<string, string>} pages
 */
export function llmsFull(root, pages) {
  const readme = readFileSync(join(root, "docs/README.md"), "utf8");
  const order = [...waysIn(readme).flatMap(({ links }) => links), ...lookUp(readme)];
  const paths = new Set(["index.md", ...order.map(({ link }) => link.replace(/#.*/, "")), ...pages.keys()]);
  return [...paths].flatMap((path) => pages.get(path) ?? []).join("\n\n---\n\n");
}
