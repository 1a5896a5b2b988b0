import fc from "fast-check";
import { type Condition, group } from "../../../src/rules/conditions/condition.ts";
import { number, plain, respell, short } from "./random-text.ts";

const globs = fc
  .array(
    fc.oneof(short, fc.constantFrom("*", "**", "**/", "/**", "?", "[ab]", "[!k]", "{a,bk}", "{s,}", "\\*")),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(""));

const regexes: fc.Arbitrary<string> = fc.letrec<{ regex: string }>((tie) => ({
  regex: fc.oneof(
    { depthSize: "small" },
    plain,
    fc.constantFrom(
      "ü",
      ".",
      "\\s",
      "\\w",
      "[ab]",
      "[^a]",
      "[k-s]",
      "\\b",
      "^",
      "$",
      "\\.",
      "[aK]",
      "\\x61",
      "(?i)",
      "\\Qa.\\E",
    ),
    fc.tuple(tie("regex"), tie("regex")).map(([a, b]) => a + b),
    fc.tuple(tie("regex"), tie("regex")).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie("regex"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
      .map(([a, r]) => `(?:${a})${r}`),
  ),
})).regex;

const fields = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "args.command",
      "args.file_path",
      "path",
      "prompt",
      "args",
      "tool",
      "args.list",
    ),
  },
  fc.constantFrom(
    "command",
    "event",
    "model",
    "cwd",
    "tool_name",
    "args.list[0]",
    "args.items[1].path",
    'args["odd key"]',
    "args.count",
    "args.flag",
    "args.cmd",
    "native.tool_input.command",
    "constructor",
    "args.missing",
  ),
);
const folds = fc.constantFrom({}, {}, { ignore_case: true } as const);

const scalar = fc.oneof(short, number, fc.boolean());

/** Tests of a number, of presence and of values that are not texts: no text has to occur for them. */
const otherTest = fc
  .tuple(
    fields,
    folds,
    fc.oneof(
      fc.tuple(fc.constantFrom("gt" as const, "gte" as const, "lt" as const, "lte" as const), number),
      fc.tuple(fc.constant("exists" as const), fc.constantFrom(undefined, true, false)),
      fc.tuple(
        fc.constantFrom("equals" as const, "not_equals" as const, "contains" as const, "ends_with" as const),
        scalar,
      ),
      fc.tuple(fc.constant("in" as const), fc.array(scalar, { minLength: 1, maxLength: 3 })),
    ),
  )
  .map(([field, fold, [operator, value]]): Condition => {
    const given = value === undefined ? {} : { value };
    return { type: "test", field, operator, ...given, ...fold };
  });

const test = fc
  .tuple(
    fields,
    folds,
    fc.oneof(
      fc.tuple(
        fc.constantFrom("contains" as const, "equals" as const, "starts_with" as const, "ends_with" as const),
        short,
      ),
      fc.tuple(fc.constantFrom("not_equals" as const), short),
      fc.tuple(fc.constantFrom("glob" as const), globs),
      fc.tuple(fc.constantFrom("matches" as const), regexes),
      fc.tuple(fc.constantFrom("in" as const), fc.array(short, { minLength: 1, maxLength: 3 })),
    ),
  )
  .map(([field, fold, [operator, value]]): Condition => ({ type: "test", field, operator, value, ...fold }));

type ShellOperator = "runs" | "reads" | "writes" | "connects" | "dynamic";

const shellPattern = fc.constantFrom<[ShellOperator, (string | readonly string[])?]>(
  ["runs", "rm -r"],
  ["runs", "git push"],
  ["runs", "cat"],
  ["runs", "{npm,pnpm} install"],
  ["runs", "{npm,pnpm} publish"],
  ["runs", "{grep,head} -n 5"],
  ["runs", "{r\\m,n*} *"],
  ["runs", "tar xzf *"],
  ["runs", "tar -x !-f"],
  ["runs", "git -C * push"],
  ["runs", "mk*"],
  ["runs", "mkdir *\u03a3*"],
  ["runs", "mkdi[r-s] [!b]*"],
  ["runs", "cat '~/.ssh/id_rsa'"],
  ["runs", "@loses"],
  ["runs", "@discloses **/.ssh/**"],
  ["runs", "@discloses **/.env **/id_*"],
  ["runs", "@changes src/x **/Build"],
  ["runs", "@changes **/{.env,s\u0130} ki"],
  ["runs", "@loses **/{build,dist}"],
  ["runs", "@changes [ab] **"],
  ["reads", "*.env"],
  ["reads", "~/.ssh/**"],
  ["writes", "src/**"],
  ["writes", "/etc/**"],
  ["writes", "{ski,[k-m]i}"],
  ["connects", "*.example.com"],
  ["connects", "https://a.example.com/b"],
  ["dynamic"],
  ["runs", "@sends"],
  ["runs", "@remote-code"],
  ["runs", "@prints-secret $*"],
  ["runs", "git -c alias.*=* !--dry-run"],
  ["runs", "*"],
  ["runs", "{ba,}sh"],
  ["runs", "sudo"],
  ["reads", "/**"],
  ["writes", "**/[!.]*"],
  ["writes", "~"],
  ["connects", "*"],
);

const shellTest = fc
  .tuple(
    fc.constantFrom("args.command", "args.cmd", "command", "call", "args.argv", "native.tool_input.command"),
    shellPattern,
    folds,
    respell,
  )
  .map(([field, [operator, value], fold, spelling]): Condition => {
    // Only where case is ignored may the name of a behaviour be written otherwise.
    const written = (text: string) =>
      fold.ignore_case === true || !text.startsWith("@")
        ? spelling(text)
        : text.replace(/ .*/, (targets) => spelling(targets));
    if (value === undefined) return { type: "test", field, operator };
    // Places of files are compared as they are, so this one takes no `ignoring case`.
    if (typeof value !== "string") return { type: "test", field, operator, value: value.map(spelling) };
    return { type: "test", field, operator, value: written(value), ...fold };
  });

export const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small" },
    { arbitrary: test, weight: 5 },
    { arbitrary: otherTest, weight: 1 },
    { arbitrary: shellTest, weight: 1 },
    { arbitrary: tie("condition").map((inner): Condition => ({ type: "not", condition: inner })), weight: 1 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom("all" as const, "any" as const),
          fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
        )
        .map(([type, parts]) => group(type, parts)),
      weight: 3,
    },
  ),
})).condition;
