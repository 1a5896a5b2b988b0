import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import {
  duplicateKey,
  FORBIDDEN_KEY,
  forbiddenKey,
  type Located,
  type ParsedFile,
  positionsIn,
  syntaxError,
  tooDeepError,
} from "./located.ts";
import { tooDeepInJson } from "./nesting.ts";

const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: "This is not a JSON value",
  InvalidNumberFormat: "This is not a JSON number",
  PropertyNameExpected: "A key in double quotes was expected",
  ValueExpected: "A value was expected",
  ColonExpected: 'A ":" was expected',
  CommaExpected: 'A "," was expected',
  CloseBraceExpected: 'A "}" was expected',
  CloseBracketExpected: 'A "]" was expected',
  EndOfFileExpected: "There is more text after the end of the value",
  InvalidCommentToken: "This comment can't be read",
  UnexpectedEndOfComment: "A comment does not end",
  UnexpectedEndOfString: "A string has no closing quote",
  UnexpectedEndOfNumber: "A number does not end",
  InvalidUnicode: "An escape \\u needs four hexadecimal digits",
  InvalidEscapeCharacter: "A string has an escape that JSON does not know",
  InvalidCharacter: "A string has a control character; write it as an escape",
};

/**
 * Reads JSON with comments; a comma after the last item is ignored.
 *
 * @throws ConfigError `config_syntax` at the first thing that can't be read.
 */
export function parseJson(file: string, text: string): ParsedFile {
  const at = positionsIn(text);
  const tooDeep = tooDeepInJson(text);
  if (tooDeep !== undefined) throw tooDeepError(file, at(tooDeep));
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [wrong] = errors;
  if (wrong !== undefined) {
    const name = printParseErrorCode(wrong.error);
    throw syntaxError(file, at(wrong.offset), REASONS[name] ?? name);
  }
  if (root === undefined) {
    const start = at(0);
    return { file, value: null, located: { key: start, value: start, inside: new Map() } };
  }

  const read = (node: Node, key = node): readonly [unknown, Located] => {
    const inside = new Map<string | number, Located>();
    const located = { key: at(key.offset), value: at(node.offset), inside };
    const children = node.children ?? [];
    if (node.type === "array") {
      const list = children.map((child, index) => {
        const [value, where] = read(child);
        inside.set(index, where);
        return value;
      });
      return [list, located];
    }
    if (node.type !== "object") return [node.value, located];
    const object: Record<string, unknown> = {};
    for (const { children: [keyNode, valueNode] = [] } of children) {
      if (keyNode === undefined || valueNode === undefined) continue;
      const name = String(keyNode.value);
      const position = at(keyNode.offset);
      if (name === FORBIDDEN_KEY) throw forbiddenKey(file, position);
      const first = inside.get(name);
      if (first !== undefined) throw duplicateKey(file, name, position, first.key);
      const [value, where] = read(valueNode, keyNode);
      object[name] = value;
      inside.set(name, where);
    }
    return [object, located];
  };
  const [value, located] = read(root);
  return { file, value, located };
}
