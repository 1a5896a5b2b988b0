// Reads the members of a type from its source: the reference shows what the compiler checks.

/**
 * The members of an interface or object type, with their doc comments.
 *
 * @param {string} source
 * @param {string} type
 * @returns {{ name: string, optional: boolean, type: string, doc: string }[]}
 */
export function members(source, type) {
  const found = [];
  const member = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?readonly (\w+)(\??): ([^;]+);/g;
  for (const [, doc = "", name = "", optional, shown = ""] of blockOf(source, type).matchAll(member)) {
    found.push({ name, optional: optional === "?", type: shown.replaceAll(/\s+/g, " "), doc: plain(doc) });
  }
  return found;
}

/**
 * The own fields of an event as TypeScript, with the shared parts it is made of.
 *
 * @param {string} source
 * @param {string} event
 */
export function ownFields(source, event) {
  const fields = blockOf(source, "EventFields");
  const start = fields.indexOf(`  ${event}: `) + `  ${event}: `.length;
  const text = fields.slice(start, endOfMember(fields, start)).trim();
  const shared = [...text.matchAll(/\b([A-Z]\w+Fields)\b/g)].map(
    ([name]) => `type ${name} = {${blockOf(source, name)}};`,
  );
  return [`type ${event}Fields = ${outdent(text)};`, ...shared].join("\n\n");
}

/** @param {string} source @param {string} type */
function blockOf(source, type) {
  const head = new RegExp(`(?:interface|type) ${type}\\b[^{]*\\{`).exec(source);
  if (head === null) throw new Error(`no type ${type}`);
  const start = head.index + head[0].length;
  for (let at = start, depth = 1; at < source.length; at += 1) {
    if (source[at] === "{") depth += 1;
    else if (source[at] === "}" && --depth === 0) return source.slice(start, at);
  }
  throw new Error(`the type ${type} has no end`);
}

/** @param {string} text @param {number} start */
function endOfMember(text, start) {
  for (let at = start, depth = 0; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    else if (text[at] === ";" && depth === 0) return at;
  }
  return text.length;
}

/** @param {string} text */
function outdent(text) {
  return text.replaceAll(/\n {2}/g, "\n");
}

/** @param {string} doc */
function plain(doc) {
  return doc
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
