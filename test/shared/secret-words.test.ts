import { describe, expect, it } from "vitest";
import { isWithheld } from "../../src/node/process/environment.ts";
import { isSecretField } from "../../src/node/records/secret-fields.ts";
import { isSecretWhenPrinted } from "../../src/rules/shell/judge/secret-names.ts";
import { KEY_OWNERS, PRINTED_WORDS, SECRET_WORDS } from "../../src/shared/secret-words.ts";

const variables = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => [`MY_${word.toUpperCase()}`, `my_${word}`]);

describe("a variable", () => {
  const named = variables(SECRET_WORDS);
  const keys = variables(KEY_OWNERS.flatMap((owner) => [`${owner}_key`, `${owner}key`]));

  it.each([...named, ...keys])(
    "called %s is removed from records, watched in shell commands and withheld",
    (name) => {
      expect([isSecretField(name), isSecretWhenPrinted(name), isWithheld(name)]).toEqual([true, true, true]);
    },
  );

  it.each(variables(PRINTED_WORDS))("called %s that no shell command may print is withheld, too", (name) => {
    expect([isSecretWhenPrinted(name), isWithheld(name)]).toEqual([true, true]);
  });
});
