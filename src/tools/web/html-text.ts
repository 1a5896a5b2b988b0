import { Tokenizer } from "htmlparser2";

/** Elements whose content is not text to read. */
const UNREAD = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "head",
  "textarea",
  "select",
]);
/** Elements with an empty line before and after. */
const PARAGRAPHS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol table blockquote pre figure section article header footer main nav aside form dl".split(
    " ",
  ),
);
const LINES = new Set("div li tr br dt dd hr option caption figcaption address".split(" "));
/** What is written before an element's text. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ["h1", "# "],
  ["h2", "## "],
  ["h3", "### "],
  ["h4", "#### "],
  ["h5", "##### "],
  ["h6", "###### "],
  ["li", "- "],
  ["blockquote", "> "],
]);

export interface PageText {
  readonly title: string;
  readonly text: string;
}

/**
 * Converts an HTML page to text: headings, lists, links and code become Markdown; scripts and styles are dropped.
 *
 * The tokenizer alone, without htmlparser2's parser: the parser's stack of open elements takes quadratic time on pages
 * with very many of them.
 *
 * @param base what relative links are resolved against.
 * @param most how much text is wanted; the rest of a longer page is not read.
 */
export function htmlToText(html: string, base: URL, most: number): PageText {
  const writer = new TextWriter(base);
  const ignored = () => {};
  let tag = "";
  let attribute = "";
  let attributes: Record<string, string> = {};
  const addToValue = (text: string): void => {
    if (attribute === "href" || attribute === "alt")
      attributes[attribute] = (attributes[attribute] ?? "") + text;
  };
  const addText = (text: string): void => {
    writer.text(text);
    if (writer.written > most) tokenizer.pause();
  };
  const openTag = (): void => writer.open(tag, attributes);
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
        attributes = {};
      },
      onattribname: (start, end) => {
        const name = html.slice(start, end).toLowerCase();
        // Of an attribute that is there twice, the first one counts.
        attribute = Object.hasOwn(attributes, name) ? "" : name;
      },
      onattribdata: (start, end) => addToValue(html.slice(start, end)),
      onattribentity: (code) => addToValue(String.fromCodePoint(code)),
      onattribend: ignored,
      onopentagend: openTag,
      onselfclosingtag: openTag,
      onclosetag: (start, end) => writer.close(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => addText(html.slice(start, end)),
      ontextentity: (code) => addText(String.fromCodePoint(code)),
      oncdata: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      onend: ignored,
    },
  );
  tokenizer.write(html);
  if (tokenizer.running) tokenizer.end();
  return writer.finish();
}

class TextWriter {
  /** The length of the text so far, in UTF-16 units. */
  written = 0;
  private readonly base: URL;
  private readonly parts: string[] = [];
  private readonly unread: string[] = [];
  /** At most one: links do not nest. */
  private openLink: { readonly href: string; readonly at: number } | undefined;
  private title = "";
  private inTitle = false;
  /** Only the first title is the page's. */
  private titles = 0;
  private preformatted = 0;
  /** Line breaks that are due before the next text, so that empty elements leave no gaps. */
  private breaks = 0;
  private space = false;
  private prefix = "";

  constructor(base: URL) {
    this.base = base;
  }

  finish(): PageText {
    return { title: this.title.replaceAll(/\s+/g, " ").trim(), text: this.parts.join("").trim() };
  }

  text(text: string): void {
    if (this.inTitle && this.titles === 1) this.title += text;
    if (this.inTitle || this.unread.length > 0) return;
    if (this.preformatted > 0) {
      this.put(text);
      return;
    }
    const words = text.replaceAll(/\s+/g, " ");
    if (words.startsWith(" ")) this.space = true;
    const trimmed = words.trim();
    if (trimmed === "") return;
    this.put(trimmed);
    this.space = words.endsWith(" ");
  }

  /** Writes text after the line breaks, the space and the prefix that are due. */
  private put(text: string): void {
    const begun = this.parts.length > 0;
    if (this.breaks > 0 && begun) this.parts.push("\n".repeat(this.breaks));
    else if (this.space && begun && this.preformatted === 0) this.parts.push(" ");
    this.parts.push(this.prefix, text);
    this.written += text.length;
    this.breaks = 0;
    this.space = false;
    this.prefix = "";
  }

  open(tag: string, { href = "", alt = "" }: Readonly<Record<string, string>>): void {
    if (tag === "title") {
      this.inTitle = true;
      this.titles += 1;
    }
    if (tag === "body") this.unread.length = 0;
    if (UNREAD.has(tag)) this.unread.push(tag);
    if (this.unread.length > 0) return;
    this.breakFor(tag);
    this.prefix = PREFIXES.get(tag) ?? this.prefix;
    if (tag === "a") this.openLink = { href, at: this.parts.length };
    else if (tag === "pre") {
      this.put("```\n");
      this.preformatted += 1;
    } else if (tag === "code" && this.preformatted === 0) this.put("`");
    else if (tag === "td" || tag === "th") this.cell();
    else if (tag === "img") this.image(alt);
  }

  close(tag: string): void {
    if (tag === "title") this.inTitle = false;
    const open = this.unread.lastIndexOf(tag);
    if (open !== -1) this.unread.length = open;
    if (this.unread.length > 0 || open !== -1) return;
    if (tag === "a") this.link();
    else if (tag === "pre" && this.preformatted > 0) {
      this.preformatted -= 1;
      this.parts.push(this.parts.at(-1)?.endsWith("\n") === true ? "```" : "\n```");
    } else if (tag === "code" && this.preformatted === 0) this.parts.push("`");
    this.breakFor(tag);
  }

  private breakFor(tag: string): void {
    if (PARAGRAPHS.has(tag)) this.breaks = Math.max(this.breaks, 2);
    else if (LINES.has(tag)) this.breaks = Math.max(this.breaks, 1);
    if (this.breaks > 0) this.space = false;
  }

  private cell(): void {
    if (this.breaks === 0 && this.parts.length > 0) this.parts.push(" | ");
    this.space = false;
  }

  private image(alt: string): void {
    if (alt.trim() !== "") this.put(`[image: ${alt.trim()}]`);
  }

  /** Writes a link whose text differs from its target as `[text](address)`. */
  private link(): void {
    const link = this.openLink;
    this.openLink = undefined;
    if (link === undefined || link.href === "" || link.href.startsWith("#")) return;
    if (/^(?:javascript|data|mailto):/i.test(link.href) || !URL.canParse(link.href, this.base.href)) return;
    const text = this.parts.splice(link.at).join("");
    const label = text.trim();
    if (label === "") return;
    const [lead = ""] = /^\s*(?:[#>-]+ )?/.exec(text) ?? [];
    this.parts.push(lead, `[${text.slice(lead.length).trim()}](${new URL(link.href, this.base.href).href})`);
  }
}
