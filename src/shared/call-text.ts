import { isRecord } from "../core/base/json.ts";

type Input = Readonly<Record<string, unknown>>;

/** The fields of inputs that say most about a call, the first first. */
const TELLING = ["command", "file_path", "path", "url", "pattern", "query", "description", "prompt"];

/** What a call is about, for people: its command, file or address; without one, all of its input in words. */
export function subjectOf(input: unknown): string {
  if (!isRecord(input)) return inWords(input);
  const key = tellingKey(input);
  return key === undefined ? inputLines(input).join(", ") : told(input[key]);
}

/** All of a call's input, for people: what it is about, its description, then a line for each other field. */
export function inputText(input: unknown): string {
  if (!isRecord(input)) return inWords(input);
  const key = tellingKey(input);
  const { description, ...others } = input;
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => name !== key));
  const first = key === undefined ? [] : [told(input[key])];
  const second = typeof description === "string" && key !== "description" ? [description] : [];
  return [...first, ...second, ...inputLines(rest)].join("\n");
}

/** A value as people read it; JSON is for programs. */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(isRecord(value[0]) ? "; " : ", ");
  if (isRecord(value)) return inputLines(value).join(", ");
  return value === undefined || value === null ? "" : String(value);
}

/** Some agents give a command as a list of words. */
function told(value: unknown): string {
  return Array.isArray(value) ? value.map(inWords).join(" ") : inWords(value);
}

function tellingKey(input: Input): string | undefined {
  return TELLING.find((key) => {
    const value = input[key];
    return (typeof value === "string" || Array.isArray(value)) && value.length > 0;
  });
}

/**
 * A value that goes on in the next line is indented: it must not look like another field. What is empty is shown, too:
 * somebody may be asked to allow just that.
 */
function inputLines(input: Input): readonly string[] {
  return Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const words = inWords(value).replaceAll("\n", "\n  ");
      return `${key.replaceAll("_", " ")}: ${words === "" ? "(empty)" : words}`;
    });
}
