import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, isPlainShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { runs } from "../../support/long.ts";

beforeAll(loadShellParser);

const word = fc.stringMatching(/^[a-z][a-z0-9./-]{0,8}$/);
const program = fc.constantFrom(
  "rm",
  "git",
  "curl",
  "cat",
  "tar",
  "docker",
  "npm",
  "mytool",
  "/bin/rm",
  "sed",
  "find",
);
const option = fc.constantFrom("-r", "-rf", "--force", "-o", "--x=y", "-n");
const line = fc
  .tuple(program, fc.array(fc.oneof(word, option), { maxLength: 5 }))
  .map(([name, rest]) => [name, ...rest].join(" "));

const prefixes = [
  "sudo ",
  "sudo -u bob ",
  "env X=1 ",
  "timeout 5 ",
  "nice -n 5 ",
  "nohup ",
  "command ",
  "busybox ",
  "time ",
  "setsid ",
  "doas ",
  "stdbuf -oL ",
  "true && ",
  "false || ",
  "cd /x; ",
  "ls | ",
  "exec ",
  "ionice -c 3 ",
  "strace -f ",
];
/** After `exec true` there is no shell that goes on. */
const prefix = fc
  .array(fc.constantFrom(...prefixes), { maxLength: 3 })
  .map((parts) => parts.join(""))
  .filter((before) => !/\bexec .*(?:&&|\|\||;)/.test(before));
const around: readonly ((text: string) => string)[] = [
  (text) => `( ${text} )`,
  (text) => `{ ${text}; }`,
  (text) => `if true; then ${text}; fi`,
  (text) => `for i in 1; do ${text}; done`,
  (text) => `echo "$( ${text} )"`,
  (text) => `sh -c '${text}'`,
  (text) => `eval '${text}'`,
  (text) => `bash <<'E'\n${text}\nE`,
  (text) => `f() { ${text}; }; f`,
  (text) => `${text}; true`,
  (text) => `${text} && true`,
  (text) => `${text} | cat`,
  (text) => `${text} &`,
  (text) => `${text} > /dev/null 2>&1`,
  (text) => `${text} # done`,
];

/** What the line does, without where in it. */
function keys(text: string): readonly string[] {
  return analyseShell(text).commands.map(({ name, flags, args }) => JSON.stringify([name, flags, args]));
}

describe("laws of the analysis", () => {
  it("a prefix never hides the command after it", () => {
    fc.assert(
      fc.property(line, prefix, (text, before) => {
        expect(keys(before + text)).toEqual(expect.arrayContaining([...keys(`${text}\n`)]));
      }),
      { numRuns: runs(100) },
    );
  });

  it("text around a command never hides it", () => {
    fc.assert(
      fc.property(
        line,
        fc.array(fc.constantFrom(...around), { minLength: 1, maxLength: 2 }),
        (text, wraps) => {
          // A quote inside a quote would end it, and a here-document or comment must be the last of its line.
          const nested = wraps.length > 1 && /['#&]|<</.test((wraps[0] ?? String)(""));
          const wrapped = (nested ? wraps.slice(0, 1) : wraps).reduce((inner, wrap) => wrap(inner), text);
          expect(keys(wrapped)).toEqual(expect.arrayContaining([...keys(`${text}\n`)]));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("quoting changes nothing", () => {
    const quote = (letter: string, how: number): string =>
      [
        letter,
        `'${letter}'`,
        `"${letter}"`,
        `\\${letter}`,
        `$'\\x${letter.charCodeAt(0).toString(16)}'`,
        `''${letter}`,
      ][how] ?? letter;
    fc.assert(
      fc.property(line, fc.array(fc.nat(5), { minLength: 40, maxLength: 40 }), (text, hows) => {
        const quoted = [...text]
          .map((letter, at) => (letter === " " ? " " : quote(letter, hows[at % 40] ?? 0)))
          .join("");
        expect(keys(quoted)).toEqual(keys(`${text}\n`));
      }),
      { numRuns: runs(100) },
    );
  });

  it("a plain line is read the same without the parser", () => {
    fc.assert(
      fc.property(line, (text) => {
        fc.pre(isPlainShell(text));
        expect(analyseShell(text)).toEqual(analyseShell(`${text}\n`));
      }),
      { numRuns: runs(100) },
    );
  });

  it("no text makes it throw, however broken", () => {
    const pieces = fc.constantFrom(
      "rm",
      " ",
      " ",
      "-rf",
      "/",
      "$",
      "(",
      ")",
      "{",
      "}",
      "'",
      '"',
      "`",
      "\\",
      "|",
      "&",
      ";",
      "<",
      ">",
      "\n",
      "$(",
      "${",
      "((",
      "[[",
      "]]",
      "if",
      "then",
      "fi",
      "for",
      "in",
      "do",
      "done",
      "case",
      "esac",
      "<<E",
      "E",
      "<<<",
      "<(",
      "eval",
      "sh -c",
      "xargs",
      "find -exec",
      "X=",
      "$X",
      "$@",
      "*",
      "?",
      "~",
      "!",
      "#",
      "\u{1F600}",
      "\uE000",
      "\uE001",
      "\0",
      "alias x=",
      "function f",
      "f()",
      "trap",
      "base64 -d",
      "python -c",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const analysis = analyseShell(parts.join(""));
        expect(typeof analysis.dynamic).toBe("boolean");
      }),
      { numRuns: runs(300) },
    );
  });
});
