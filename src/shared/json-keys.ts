/** A key that its object gives twice. */
export interface RepeatedKey {
  readonly key: string;
  /** 1 for a key of the outermost object. */
  readonly depth: number;
}

/**
 * The first key that an object of a JSON text gives twice. `JSON.parse` drops all but the last, so that a string put into
 * a reply without escapes could turn a refusal around, and two programs could read two different things. The text must be
 * valid JSON. Each call of an agent's hook asks this, so it is a plain loop.
 */
export function repeatedKey(json: string): RepeatedKey | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const start = at;
      at = endOfText(json, start);
      const keys = open[open.length - 1];
      if (keys === undefined || !isBeforeColon(json, at + 1)) continue;
      const key = keyIn(json, start, at);
      if (keys.has(key)) return { key, depth: open.length };
      keys.add(key);
    }
  }
  return undefined;
}

function keyIn(json: string, start: number, end: number): string {
  const written = json.slice(start + 1, end);
  return written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
}

function isBeforeColon(json: string, from: number): boolean {
  let at = from;
  while (json[at] === " " || json[at] === "\n" || json[at] === "\t" || json[at] === "\r") at += 1;
  return json[at] === ":";
}

/** Where the text that begins here ends: at its closing quotation mark, or behind the last character. */
export function endOfText(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(json, at, start)) at = json.indexOf('"', at + 1);
  return at === -1 ? json.length : at;
}

/** True after an odd number of backslashes. */
function isEscaped(json: string, at: number, start: number): boolean {
  let from = at;
  while (from - 1 > start && json[from - 1] === "\\") from -= 1;
  return (at - from) % 2 === 1;
}
