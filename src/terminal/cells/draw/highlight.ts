import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import { isRecord } from "../../../core/base/json.ts";
import type { Paint } from "../../paint.ts";

const known = createLowlight({
  bash,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

/** More of a block than this is shown without colours. */
const MOST_CHARACTERS = 20_000;

const COLOURS: Readonly<Record<string, keyof Paint>> = {
  "hljs-keyword": "cyan",
  "hljs-built_in": "cyan",
  "hljs-literal": "cyan",
  "hljs-string": "green",
  "hljs-addition": "green",
  "hljs-attr": "blue",
  "hljs-number": "yellow",
  "hljs-title": "bold",
  "hljs-comment": "dim",
  "hljs-meta": "dim",
  "hljs-deletion": "red",
};

/** Code with colours, where its language is known. */
export function highlighted(code: string, language: string, paint: Paint): string {
  if (code.length > MOST_CHARACTERS || !known.registered(language)) return code;
  return painted(known.highlight(language, code), undefined, paint);
}

/** @param node of the tree that lowlight makes. */
function painted(node: unknown, colour: keyof Paint | undefined, paint: Paint): string {
  if (!isRecord(node)) return "";
  if (node.type === "text") {
    const text = String(node.value);
    // A colour that goes over the end of a line would be lost where the line is cut.
    return colour === undefined ? text : text.split("\n").map(paint[colour]).join("\n");
  }
  const classes = isRecord(node.properties) ? node.properties.className : undefined;
  const own = Array.isArray(classes) ? classes.map((name) => COLOURS[String(name)]).find(Boolean) : undefined;
  const children: readonly unknown[] = Array.isArray(node.children) ? node.children : [];
  return children.map((child) => painted(child, own ?? colour, paint)).join("");
}
