/*
 * The words by which the name of a field, an option or a variable says that its value is a secret, in lower case. A word
 * may be a secret in one place and not in another: `tokens` is a number in most records, and `KEY` is a loop's variable in
 * many scripts. So there are three lists, and each place reads those before it, too.
 */

/** Words that name a secret everywhere, also in the fields of a record. */
export const SECRET_WORDS: readonly string[] = (
  "password passwd passphrase secret secrets token apikey auth authorization credential credentials cookie privatekey " +
  "accesskey"
).split(" ");

/** Words that name a secret when a shell command prints or sends a variable. */
export const PRINTED_WORDS: readonly string[] = [
  ...SECRET_WORDS,
  ..."tokens pass pwd creds pat jwt dsn".split(" "),
];

/** Words whose variables no child process gets: here a name too many does little harm. */
export const WITHHELD_WORDS: readonly string[] = [
  ...PRINTED_WORDS,
  ..."key keys bearer cookies pw pem otp totp webhook webhooks".split(" "),
];

/** Words that make `key` a secret: an `api_key` is one, a `sort_key` is not. */
export const KEY_OWNERS: readonly string[] =
  "api access private secret signing encryption ssh gpg pgp service account client master admin deploy license fastly".split(
    " ",
  );

/** Words that name a secret also as the end of a longer word: `PGPASSWORD`, `CLIENTSECRET`. */
export const SECRET_ENDS: readonly string[] = "password passwd passphrase secret".split(" ");

/** Words that make `token` a secret when they are written together with it: `authtoken`. */
export const TOKEN_OWNERS: readonly string[] = "auth access refresh api bearer".split(" ");

/** Part of a regular expression that matches any of these words. */
export function anyOf(words: readonly string[]): string {
  return `(?:${words.join("|")})`;
}
