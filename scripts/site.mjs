// Builds the site into site/.vitepress/dist: the pages of docs, a home page made of docs/README.md, the playground, every
// page also as Markdown, llms.txt and llms-full.txt. `npm run site`; then serve the folder with any server.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, posix } from "node:path";
import { buildPlayground } from "./playground.mjs";
import { root, run } from "./run.mjs";
import { homePage } from "./site/home-page.mjs";
import { llmsFull, llmsIndex } from "./site/llms.mjs";

const site = join(root, "site");
const pages = join(site, "pages");
const files = join(pages, "public");
const built = join(site, ".vitepress/dist");

if (!existsSync(join(site, "node_modules/vitepress"))) run("npm", "ci", "--prefix", site, "--ignore-scripts");

for (const folder of [pages, built]) rmSync(folder, { recursive: true, force: true });
/** Every page by its path, as Markdown. */
const texts = new Map([...folderPages("docs"), ...folderPages("examples", "examples")]);
texts.delete("README.md");
texts.set("index.md", homePage(root));
for (const [path, text] of texts) {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), text);
}
cpSync(join(site, "playground.md"), join(pages, "playground.md"));
for (const folder of ["docs/pictures", "examples"])
  cpSync(join(root, folder), join(files, folder.replace("docs/", "")), {
    recursive: true,
    filter: (from) => !/node_modules|\.md$/.test(from),
  });
// The pages are built with them, and as Markdown name them.
cpSync(join(root, "docs/pictures"), join(pages, "pictures"), { recursive: true });
cpSync(join(root, "src/dashboard/public/favicon.svg"), join(files, "favicon.svg"));
await buildPlayground();
run(process.execPath, join(site, "node_modules/vitepress/bin/vitepress.js"), "build", site);

for (const [path, text] of texts) writeFileSync(join(built, path), text);
writeFileSync(join(built, "llms.txt"), llmsIndex(root, texts));
writeFileSync(join(built, "llms-full.txt"), llmsFull(root, texts));
console.log(`${texts.size + 1} pages in site/.vitepress/dist`);

/**
 * The pages of a folder. Links to what is outside of the site become plain text.
 *
 * @param {string} folder
 * @param {string} at
 * @returns {[path: string, text: string][]}
 */
function folderPages(folder, at = "") {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => extname(file) === ".md" && !/^contributing\b|node_modules|pictures/.test(file))
    .map((file) => {
      const path = posix.join(at, file.replaceAll("\\", "/"));
      const text = readFileSync(join(root, folder, file), "utf8");
      return [path, withinSite(text, path)];
    });
}

/**
 * @param {string} text
 * @param {string} path
 */
function withinSite(text, path) {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s#:]+)(#[^)]*)?\)/g, (whole, name, target, hash = "") => {
    const to = posix.join(posix.dirname(path), target);
    // In the repository the home page is docs/README.md, and examples are beside docs.
    const there = to.replace(/^\.\.\/examples/, "examples");
    if (there === "README.md") return `[${name}](/${hash})`;
    const source = there.startsWith("examples/") ? there : join("docs", there);
    const isOutside = there.startsWith("..") || /(?:^|\/)contributing\//.test(there);
    if (isOutside || !existsSync(join(root, source)) || extname(source) === "") return name;
    return there === to ? whole : `[${name}](/${there}${hash})`;
  });
}
