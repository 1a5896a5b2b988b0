import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { simpleRegex } from "../../../src/rules/simple-regex/simple-regex.ts";
import { runs } from "../../support/soak.ts";

/** A test that says nothing about texts the expression is not for. */
const simpleTest = (source: string, ignoreCase: boolean) => {
  const simple = simpleRegex(source, ignoreCase);
  if (simple === undefined) return undefined;
  const { test, asciiOnly } = simple;
  return { test, concerns: (text: string) => !asciiOnly || /^[\0-\x7f]*$/.test(text) };
};

const engine = (source: string, ignoreCase: boolean) => {
  const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (text: string) => compiled.test(text);
};

/** Characters that are told apart, or that engines tend to see differently. */
const CHARACTERS = [..."abkKsSzZ019_-./ \t\n\r\f\v\"'$^*\\[]{}()|?+,:&~éß", "\u017f", "\u212a", "\u2028"];
const characters = fc.constantFrom(...CHARACTERS, "😀", "\ud83d", "\ude00", "\u0000", "\u007f", "\u00a0");
const texts = fc.array(fc.string({ unit: characters, maxLength: 8 }), { minLength: 6, maxLength: 6 });

const plain = fc.constantFrom(
  ..."abkKsSzZ019_-/ ,:&~\"'",
  "\n",
  "\\.",
  "\\\\",
  "\\t",
  "\\n",
  "\\r",
  "\\$",
  "\\-",
  "\\[",
  "é",
  "ß",
  "😀",
);
const NAMED = "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit".split(
  " ",
);
const named = NAMED.flatMap((name) => [`[:${name}:]`, `[:^${name}:]`]);
const UNICODE = "L Lu Ll N Nd P S Z Zs Latin Greek Cyrillic Arabic Hebrew Han".split(" ");
const unicode = UNICODE.flatMap((name) => [`\\p{${name}}`, `\\P{${name}}`]);
const classes = fc.oneof(
  fc.constantFrom(..."\\d \\D \\w \\W \\s \\S .".split(" ")),
  fc.constantFrom("\\pL", "\\PN", ...unicode),
);
const inClass = fc.constantFrom(
  ...named,
  ..."a k S 0 _ . $ ^ / ( * & a-c K-Z 0-9 \\w \\W \\d \\D \\s \\S \\] \\- \\n \\\\ !-~ X-c é ß 😀 \\pL \\p{Lu} \\P{Ll}".split(
    " ",
  ),
);
const sets = fc
  .tuple(
    fc.constantFrom("[", "[^"),
    fc.array(inClass, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("]", "-]"),
  )
  .map(([open, items, close]) => `${open}${items.join("")}${close}`);
const assertions = fc.constantFrom("^", "$", "\\b", "\\B", "\\A", "\\z");
const repetitions = fc.constantFrom(
  "",
  "",
  "",
  "*",
  "+",
  "?",
  "*?",
  "+?",
  "{2}",
  "{1,}",
  "{0,2}",
  "{1,3}?",
  "{0}",
);

const expressions = fc.letrec<{ expression: string; part: string; atom: string }>((tie) => ({
  expression: fc
    .array(
      fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((options) => options.join("|")),
  part: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(tie("atom"), repetitions).map((both) => both.join("")) },
    { weight: 1, arbitrary: assertions },
  ),
  atom: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 5, arbitrary: plain },
    { weight: 2, arbitrary: classes },
    { weight: 2, arbitrary: sets },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("(", "(?:", "(?i:"), tie("expression"))
        .map(([open, inside]) => `${open}${inside})`),
    },
  ),
})).expression;

describe("a simple expression", () => {
  it("is one the engine compiles, and fits what the engine says it fits", () => {
    let fitted = 0;
    let simple = 0;
    fc.assert(
      fc.property(expressions, fc.boolean(), fc.boolean(), texts, (written, flag, ignoreCase, candidates) => {
        const source = flag ? `(?i)${written}` : written;
        const found = simpleTest(source, ignoreCase);
        if (found === undefined) return;
        simple += 1;
        const { test, concerns } = found;
        const expected = engine(source, ignoreCase);
        const ascii = candidates.map((text) => text.replaceAll(/[^\0-\x7f]/g, "k"));
        const given = [...candidates, ...ascii, "", written];
        for (const text of [...given, ...candidates.map((one) => `${one}${written}`)].filter(concerns)) {
          expect([text, test(text)]).toEqual([text, expected(text)]);
          if (test(text)) fitted += 1;
        }
      }),
      { numRuns: runs(3_000, 100_000) },
    );
    expect(simple).toBeGreaterThan(runs(2_000, 60_000));
    expect(fitted).toBeGreaterThan(simple);
  }, 600_000);

  it("fits each single character the engine fits", () => {
    for (const ignoreCase of [false, true])
      for (const source of [
        "\\w",
        "\\W",
        "\\s",
        "\\S",
        "\\d",
        "\\D",
        ".",
        "[^a]",
        "[k]",
        "[^S-k]",
        "k",
        "S",
        "^\\b.",
        ".",
        "(?i:k)",
        "(?i:[^k-s])",
        "é",
        "[^éa]",
        "\\pL",
        ...unicode,
        ...unicode.map((name) => `[^k${name}]`),
        ...named.flatMap((name) => [`[${name}]`, `[^k${name}]`]),
      ]) {
        const expected = engine(`^(?:${source})$`, ignoreCase);
        const found = simpleTest(`^(?:${source})$`, ignoreCase);
        const codes = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
        const others = codes.filter(
          (text) => found === undefined || (found.concerns(text) && found.test(text) !== expected(text)),
        );
        expect([source, others]).toEqual([source, []]);
      }
  });

  it.each([
    ["a pattern of any text", fc.string({ unit: characters, maxLength: 12 })],
    [
      "a pattern of signs",
      fc.string({ unit: fc.constantFrom(..."ab\\()[]{}|?*+^$.-,:=!<>iPsQEpx12"), maxLength: 10 }),
    ],
  ])(
    "is only what the engine compiles to the same: %s",
    (_, sources) => {
      fc.assert(
        fc.property(sources, fc.boolean(), texts, (source, ignoreCase, candidates) => {
          const found = simpleTest(source, ignoreCase);
          if (found === undefined) return;
          const expected = engine(source, ignoreCase);
          for (const text of [...candidates, source].filter(found.concerns))
            expect([text, found.test(text)]).toEqual([text, expected(text)]);
        }),
        { numRuns: runs(5_000, 200_000) },
      );
    },
    600_000,
  );

  it.each([
    ["\\bkubectl\\s+delete\\s+namespace\\b"],
    ["rm\\s+-[a-zA-Z]*[rf][a-zA-Z]*\\s+/"],
    ["(?i)drop\\s+(table|database)"],
    ["^git (push|fetch)( --force)?$"],
    ["\\.(env|pem|key)$"],
    ["curl[^|]*\\|\\s*(ba)?sh"],
    ["[0-9]{1,3}(\\.[0-9]{1,3}){3}"],
    ["[[:space:]]rm[[:space:]]+-[[:alpha:]_]*r"],
  ])("is what people write: %s", (source) => {
    expect(simpleRegex(source, false)?.asciiOnly).toBe(false);
  });

  it.each([["\\p{L}+"], ["\\PN"], ["[\\p{Lu}_]"], ["é"], ["[äöü]"], ["(?i:straße)"], ["a|😀?b"]])(
    "is for texts of ASCII only when it tells other characters apart: %s",
    (source) => {
      expect(simpleRegex(source, false)?.asciiOnly).toBe(true);
    },
  );

  it.each([
    ["an empty one", ""],
    ["an empty choice", "a|"],
    ["nothing repeated", "(?:)*"],
    ["a place repeated", "\\b+"],
    ["a repetition repeated", "a**"],
    ["a name", "(?<n>a)"],
    ["a look ahead", "(?=a)"],
    ["a flag in the middle", "a(?i)b"],
    ["a flag for nothing", "(?i:)"],
    ["other flags", "(?s:a)"],
    ["a property that is not in the table", "\\p{Mn}"],
    ["a property of no name", "\\p{}"],
    ["a negated property", "\\p{^L}"],
    ["a class of an unknown name", "[[:letter:]]"],
    ["a name outside of a class", "[:alpha:"],
    ["a range from a named class", "[[:alpha:]-z]"],
    ["a range beyond ASCII", "[a-я]"],
    ["a letter that folds to one of ASCII", "\u017f"],
    ["half a character", "\ud83d"],
    ["a number", "\\x41"],
    ["too many times", "a{101}"],
    ["too many times in all", "(?:a{60}){60}"],
    ["too long a one", "a".repeat(1001)],
    ["too deep a one", `${"(".repeat(30)}a${")".repeat(30)}`],
    ["a range that goes back", "[z-a]"],
    ["an open group", "(a"],
    ["an open class", "[a"],
    ["a lone sign", "*a"],
  ])("is left to the engine when it has or is %s", (_, source) => {
    expect(simpleRegex(source, false)).toBeUndefined();
  });

  it.each([
    ["(a+)+$", "a", "!", false],
    ["(.*)*x", "a", "!", false],
    ["(a|aa)+$", "a", "!", false],
    ["(.*a){12}$", "a", "!", false],
    ["(a?){50}a{50}$", "a", "!", false],
    ["[ab]*a[ab]{20}c", "ab", "!", false],
    ["^(\\w+\\s?)*$", "aaaa ", "!", false],
    ["\\s+$", " ", "x", false],
    ["(x+x+)+y", "x", "y", true],
  ])(
    "takes linear time on hostile text: %s",
    (source, unit, end, expected) => {
      const text = unit.repeat(200_000 / unit.length) + end;
      expect(simpleRegex(source, false)?.test(text)).toBe(expected);
    },
    60_000,
  );
});
