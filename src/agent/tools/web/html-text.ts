import {
  convert,
  type DomNode,
  type FormatCallback,
  type HtmlToTextOptions,
  type SelectorDefinition,
} from "html-to-text";

export interface PageText {
  readonly title: string;
  readonly text: string;
  /** True when the page was longer than what was read. */
  readonly cut?: boolean;
}

/** The parser takes quadratic time for elements that are never closed: a hostile page must not take minutes. */
export const MOST_HTML = 500_000;
const DEEPEST = 200;

/**
 * Converts an HTML page to text: headings, lists, links and code become Markdown; scripts and styles are dropped.
 *
 * @param base what relative links are resolved against.
 * @throws when the library can't cope with the page, as with an element named `constructor`.
 */
export function htmlToText(html: string, base: URL): PageText {
  let title = "";
  const formatters: Record<string, FormatCallback> = {
    ...FORMATTERS,
    link: linkFrom(base),
    // Only the first title is the page's.
    title: (element) => {
      title ||= textOf(element).replaceAll(/\s+/g, " ").trim();
    },
  };
  const text = convert(html.slice(0, MOST_HTML), { ...OPTIONS, formatters });
  return { title, text: text.trim(), cut: html.length > MOST_HTML };
}

function textOf({ data = "", children = [] }: DomNode, depth = 0): string {
  return depth > DEEPEST ? "" : data + children.map((child) => textOf(child, depth + 1)).join("");
}

/** A block whose whole text is transformed. */
const transformed =
  (blockTransform: (text: string) => string, isPre = false): FormatCallback =>
  (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 2, isPre });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 2, blockTransform });
  };

const linkFrom =
  (base: URL): FormatCallback =>
  (element, walk, builder) => {
    const { href = "" } = element.attribs ?? {};
    const leads =
      href !== "" && !/^(?:#|(?:javascript|data|mailto):)/i.test(href) && URL.canParse(href, base.href);
    const isLink = leads && textOf(element).trim() !== "";
    if (isLink) builder.addLiteral("[");
    walk(element.children, builder);
    if (isLink) builder.addLiteral(`](${new URL(href, base).href})`);
  };

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

const FORMATTERS: Readonly<Record<string, FormatCallback>> = {
  image(element, _, builder) {
    const alt = String(element.attribs?.alt ?? "").trim();
    if (alt !== "") builder.addInline(`[image: ${alt}]`);
  },
  cell(element, walk, builder) {
    if (element.parent?.children.find(({ type }) => type === "tag") !== element) builder.addLiteral(" | ");
    walk(element.children, builder);
  },
  fence: transformed((text) => `\`\`\`\n${text}\n\`\`\``, true),
  ...Object.fromEntries(
    HEADINGS.map((name, index) => [name, transformed((text) => `${"#".repeat(index + 1)} ${text}`)]),
  ),
};

/** The selectors of elements that are shown alike. */
function each(names: string, format: string, lineBreaks = 0): readonly SelectorDefinition[] {
  const options = { leadingLineBreaks: lineBreaks, trailingLineBreaks: lineBreaks };
  return names.split(" ").map((selector) => ({ selector, format, options }));
}

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  whitespaceCharacters: " \t\r\n\f\u200b\u00a0",
  baseElements: { selectors: [] },
  limits: { maxDepth: DEEPEST },
  selectors: [
    { selector: "a", format: "link" },
    { selector: "img", format: "image" },
    { selector: "pre", format: "fence" },
    { selector: "code", format: "inlineSurround", options: { prefix: "`", suffix: "`" } },
    { selector: "pre > code", format: "inline" },
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "title", format: "title" },
    { selector: "hr", format: "lineBreak" },
    ...HEADINGS.map((selector) => ({ selector, format: selector })),
    ...each("td th", "cell"),
    ...each("table figure section article header footer main nav aside form dl", "block", 2),
    ...each("tr dt dd option caption figcaption address", "block", 1),
    ...each("script style noscript template svg iframe textarea select", "skip"),
  ],
};
