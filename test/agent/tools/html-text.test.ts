import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlToText } from "../../../src/agent/tools/web/html-text.ts";
import { runs } from "../../support/long.ts";

const text = (html: string) => htmlToText(html, new URL("https://example.com/a/")).text;

describe("HTML becomes text", () => {
  it.each([
    ["words and spaces", "<p>one\n  two<b> three</b>\tfour</p>", "one two three four"],
    ["paragraphs", "<p>one</p><p>two</p><div>three</div><div>four</div>", "one\n\ntwo\n\nthree\nfour"],
    ["headings", "<h1>A</h1>text<h3>B</h3>", "# A\n\ntext\n\n### B"],
    ["lists", "<ul><li>one</li><li>two <b>bold</b></li></ul>after", "- one\n- two bold\n\nafter"],
    [
      "lists in lists",
      "<ol><li><p>one</p><ul><li>inner</li></ul></li><li>two</li></ol>",
      "1. one\n    \n    - inner\n 2. two",
    ],
    ["links", '<a href="b?x=1&amp;y=2">see <i>this</i></a>.', "[see this](https://example.com/a/b?x=1&y=2)."],
    [
      "links that lead nowhere",
      '<a href="#top">up</a> <a>none</a> <a href="javascript:x()">run</a>',
      "up none run",
    ],
    [
      "links in lists",
      "<ul><li><a href=/x>x</a></li><li><a href=/y>y</a></li></ul>",
      "- [x](https://example.com/x)\n- [y](https://example.com/y)",
    ],
    [
      "code",
      "<p>Use <code>a &lt; b</code>.</p><pre>  keep\n    this</pre>",
      "Use `a < b`.\n\n```\n  keep\n    this\n```",
    ],
    ["tables", "<table><tr><th>a<th>b</tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"],
    ["images", '<img src=x alt="A cat"><img src=y>', "[image: A cat]"],
    ["characters", "&lt;&#x1F600;&#233;&eacute;&nbsp;&unknown;&#0;&amp;lt;", "<😀éé &unknown;\ufffd&lt;"],
    [
      "what is not read",
      "<head><style>a{}</style></head><body>x<script>if (a</b) {}</script>y<!-- no -->z",
      "xyz",
    ],
    ["broken tags", 'a < b <p title="x>y">c</p <b>d', "a < b\n\nc\n\nd"],
    ["nothing", "", ""],
  ])("%s", (_, html, expected) => {
    expect(text(html)).toBe(expected);
  });

  it("whatever the page is made of", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "</",
      "<a href=",
      "</a>",
      '"',
      "'",
      "<p>",
      "<pre>",
      "<code>",
      "<!--",
      "-->",
      "<script>",
      "</script>",
      "x",
      "&amp;",
      "&",
      "İ",
      "<title>",
      "=",
      " ",
      "<td>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(typeof text(pieces.join(""))).toBe("string");
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([
    "<a href=x>",
    "<",
    '<a b="x>',
    "<!--",
    "<script>",
    "<div><li>",
    "&amp",
    "<pre>",
    "</a>",
    "<td>",
    "<a href='x'>y</a>",
  ])("for many a %s", (piece) => {
    expect(text(piece.repeat(10_000)).length).toBeGreaterThanOrEqual(0);
  });
});
