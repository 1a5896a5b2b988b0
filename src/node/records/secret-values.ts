import { isSecretField } from "./secret-fields.ts";

/** A word that the name of a secret has. */
const SECRETIVE = /pass|pwd|secret|token|key|auth|credential|cookie/i;

/** `api_key=`, `"password": ` and `--token `; what follows is looked at when the name is that of a secret. */
const NAME =
  /(?<![\w-])(?:-{0,2}([A-Za-z_][\w-]{0,60})\\?["']?[ \t]{0,4}[:=][ \t]{0,4}|--([A-Za-z][\w-]{0,60})[ \t]{1,4})/g;

/**
 * A value: a block of YAML, a text in quotes, or a word. A word goes on behind a comma unless another name with a value
 * stands there, as in `token=a&sort=b`. An opening quote without a closing one is none.
 */
const VALUE =
  /[|>][-+]?\n([ \t]+)[^\n]+(?:\n\1[^\n]+)*|(\\["'])((?:(?!\2)[^\n])+)\2|(")((?:[^"\\\n]|\\[^\n])+)"|(')([^'\n]+)'|(\\?["']?)([^\s"'\\,;&]+(?:[,;&](?![^\s"'\\,;&=:]+[=:])[^\s"'\\,;&]+)*)/y;

/** Where values stand whose names say that they are secret: `DB_PASSWORD=…`, `"token": "…"`. In linear time. */
export function* secretsByName(text: string): Generator<{ readonly start: number; readonly end: number }> {
  if (!SECRETIVE.test(text)) return;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    if (!isSecretField(found[1] ?? found[2] ?? "")) continue;
    VALUE.lastIndex = NAME.lastIndex;
    const value = VALUE.exec(text);
    if (value === null) continue;
    const open = value[2] ?? value[4] ?? value[6] ?? value[8] ?? "";
    const inner = value[3] ?? value[5] ?? value[7] ?? value[9] ?? value[0];
    // A variable is named here, not its value.
    if (inner.startsWith("$")) continue;
    const start = value.index + open.length;
    yield { start, end: start + inner.length };
    NAME.lastIndex = VALUE.lastIndex;
  }
}
