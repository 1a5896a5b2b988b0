/** What is kept of the beginning and of the end of a long text, in UTF-16 units. */
const HEAD = 20_000;
const TAIL = 10_000;

/** A text of which only the two ends are kept when it gets long. */
export interface HeadAndTail {
  add(text: string): void;
  /** The text, or its ends with a note between them that says how much is missing, and `where` it is. */
  shown(where: string): string;
}

/** Keeps the two ends of a text that comes in pieces. */
export function headAndTail(): HeadAndTail {
  let text = "";
  let dropped = 0;
  return {
    add(more) {
      text += more;
      // The middle goes in steps of at least a tail, so that each character is moved a few times at most.
      if (text.length <= HEAD + TAIL * 2) return;
      dropped += text.length - HEAD - TAIL;
      text = text.slice(0, HEAD) + text.slice(-TAIL);
    },
    shown(where) {
      if (dropped === 0 && text.length <= HEAD + TAIL) return text;
      const head = wholeCharacters(text.slice(0, HEAD));
      const tail = wholeCharacters(text.slice(-TAIL));
      const missing = dropped + text.length - head.length - tail.length;
      return `${head}\n[… ${missing} characters left out; ${where} …]\n${tail}`;
    },
  };
}

/** Takes half a character at either end away. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
