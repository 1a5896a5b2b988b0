/**
 * The first key that an object of a JSON text gives twice. `JSON.parse` keeps the last one, so that a text put into a
 * reply without escapes could turn a refusal around. The text must be valid JSON.
 */
export function repeatedKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const start = at;
      at = endOfText(json, start);
      const keys = open.at(-1);
      if (keys === undefined || !isKey(json, at + 1)) continue;
      const key = String(JSON.parse(json.slice(start, at + 1)));
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}

function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

const COLON = /[\t\n\r ]*:/y;

function isKey(json: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(json);
}
