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
  const block = blockOf(source, type);
  const head = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?(?:readonly )?(\w+)(\??)(: |(?=[(<]))/y;
  for (let at = 0; at < block.length; at += 1) {
    head.lastIndex = at + (/^\s*/.exec(block.slice(at))?.[0].length ?? 0);
    const [, doc = "", name = "", optional] = head.exec(block) ?? [];
    if (name === "") break;
    const start = head.lastIndex === 0 ? at : head.lastIndex;
    at = endOfMember(block, start);
    const shown = block.slice(start, at).replaceAll(/\s+/g, " ");
    found.push({ name, optional: optional === "?", type: shown, doc: plain(doc) });
  }
  return found;
}

/**
 * The alternatives of a union that have a doc comment, by their `type`.
 *
 * @param {string} source
 * @param {string} type
 * @returns {{ name: string, doc: string, fields: ReturnType<typeof members> }[]}
 */
export function alternatives(source, type) {
  const start = source.indexOf(`type ${type} =`);
  const text = source.slice(start, source.indexOf("\n\n", start));
  return [...text.matchAll(/\/\*\* (.*) \*\/\n {2}\| (?:\(\w+ & )?(?=\{)/g)].map((match) => {
    const fields = members(`type Alternative = ${text.slice(match.index + match[0].length)}`, "Alternative");
    const [{ type: name } = { type: "" }, ...rest] = fields;
    return { name: name.replaceAll('"', ""), doc: match[1] ?? "", fields: rest };
  });
}

/**
 * The public methods, with the names of their parameters, and properties of a class, with the first paragraph of their doc
 * comments.
 *
 * @param {string} source
 * @returns {{ name: string, doc: string }[]}
 */
export function methods(source) {
  const method = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(static )?(?:async )?\*?(get )?(\w+)(?:<[^(]*>)?\(/g;
  return [...source.matchAll(method)]
    .filter(([, , , , name]) => name !== "constructor")
    .map(([, doc = "", still = "", get, name = ""]) => ({
      name: `${still === "" ? "agent" : "Agent"}.${name}${get === undefined ? `(${parameters(source, name)})` : ""}`,
      doc: plain(doc.split(/\n\s*\*\s*\n|\n\s*\* @/)[0] ?? ""),
    }));
}

/**
 * The names of a method's parameters, of its last signature if it has several; those that may be left out with a question
 * mark.
 *
 * @param {string} source
 * @param {string} method
 */
function parameters(source, method) {
  const heads = [
    ...source.matchAll(new RegExp(`\\n {2}(?:static )?(?:async )?\\*?${method}(?:<[^(]*>)?\\(`, "g")),
  ];
  const last = heads.at(-1);
  const start = last === undefined ? source.length : last.index + last[0].length;
  const names = [];
  let text = "";
  for (let at = start, depth = 1; depth > 0 && at < source.length; at += 1) {
    const sign = source[at] ?? "";
    // The arrow of a function type closes nothing.
    if ("([{<".includes(sign)) depth += 1;
    else if (")]}".includes(sign) || (sign === ">" && source[at - 1] !== "=")) depth -= 1;
    if (depth > 0 && !(depth === 1 && sign === ",")) text += sign;
    else {
      if (text.trim() !== "") names.push(text);
      text = "";
    }
  }
  return names
    .map((one) => {
      const [, name = "options", optional = ""] = /^\s*(\w+)(\??)/.exec(one) ?? [];
      return `${name}${optional !== "" || / = [^>]/.test(one) ? "?" : ""}`;
    })
    .join(", ");
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

/** @param {string} doc */
function plain(doc) {
  return doc
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
