import { readFileSync } from "node:fs";

export interface LabelledLine {
  readonly id: string;
  readonly command: string;
  readonly label: "destructive" | "exfiltration" | "safe";
  /** Files that are there. */
  readonly files?: readonly string[];
  /** It can't do its work without a network. */
  readonly network?: boolean;
}

/** Labelled shell lines of a fixture. They are text only, and never run. */
export function labelledLines(fixture: string): readonly LabelledLine[] {
  const text = readFileSync(new URL(`../../fixtures/shell/${fixture}.json`, import.meta.url), "utf8");
  const { entries }: { entries: readonly LabelledLine[] } = JSON.parse(text);
  return entries;
}
