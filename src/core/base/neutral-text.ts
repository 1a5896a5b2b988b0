/** May be inside a word without being seen; languages and emoji need them. */
const JOINER = "[\\u00ad\\u200c\\u200d]*";
/** The tags that agents put around what their system says to the model. */
const SYSTEM_TAGS = ["system-reminder", "user-prompt-submit-hook"].map((tag) => [...tag].join(JOINER));
const OPENS_TAG = new RegExp(`<(?=\\s*/?\\s*${JOINER}(?:${SYSTEM_TAGS.join("|")}))`, "gi");

/** Control characters, characters that turn the writing direction round, and such that no reader sees. */
const HIDDEN = /(?![\t\n\r\u00ad\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** The name of the first tag in a text that would make it pass for words of the system. */
export function systemTag(text: string): string | undefined {
  const at = text.search(OPENS_TAG);
  return at === -1 ? undefined : /[a-z][a-z-]*/i.exec(text.slice(at))?.[0];
}

/** A text for a model without control characters, and without tags that would make it pass for words of the system. */
export function neutralText(text: string): string {
  return text.replaceAll(HIDDEN, "\ufffd").replaceAll(OPENS_TAG, "&lt;");
}
