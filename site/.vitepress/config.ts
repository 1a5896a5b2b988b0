import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { headOf, lookUp, waysIn } from "../../scripts/site/ways.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "docs/README.md"), "utf8");
const item = ({ text, link }: { text: string; link: string }) => ({
  text: text.charAt(0).toUpperCase() + text.slice(1),
  link: `/${link}`,
});
/** A link in a sentence is a part of it; in a list a page has its own name. */
const named = ({ link }: { link: string }) => {
  const [file = ""] = link.split("#");
  return item({ text: headOf(readFileSync(join(root, "docs", file), "utf8")).title, link });
};

/** The pages that are no page of docs. */
const SITE_PAGES: ReadonlySet<string> = new Set(["index.md", "playground.md"]);

export default defineConfig({
  title: "Tenterhook",
  description: "One hook engine for AI agents",
  lang: "en",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "pages",
  cleanUrls: true,
  // The style follows the reader's setting by itself.
  appearance: false,
  head: [["link", { rel: "icon", href: `${process.env.SITE_BASE ?? "/"}favicon.svg` }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    config: (md) => {
      const { escapeHtml } = md.utils;
      // Templates of rules have two braces, and no page computes anything.
      md.renderer.rules.code_inline = (tokens, at, _options, _env, self) =>
        `<code v-pre${self.renderAttrs(tokens[at])}>${escapeHtml(tokens[at].content)}</code>`;
      md.renderer.rules.text = (tokens, at) =>
        escapeHtml(tokens[at].content).replaceAll("{{", "&#123;&#123;");
      // In the pages of docs `<name>` is a placeholder; only those of the site have HTML.
      const html = (text: string, page: string) => {
        if (SITE_PAGES.has(page) || text === "<br>") return text;
        return text.startsWith("<!--") ? "" : escapeHtml(text);
      };
      md.renderer.rules.html_inline = (tokens, at, _, env) => html(tokens[at].content, env.relativePath);
      md.renderer.rules.html_block = (tokens, at, _, env) => html(tokens[at].content, env.relativePath);
    },
  },
  themeConfig: {
    logo: "/favicon.svg",
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Playground", link: "/playground" },
      { text: "Guides", link: "/guides/protect" },
      { text: "Reference", link: "/reference/cli" },
    ],
    sidebar: [
      ...waysIn(readme).map(({ name, links }) => ({ text: name, items: links.map(named) })),
      { text: "Look something up", items: lookUp(readme).map(item) },
    ],
  },
});
