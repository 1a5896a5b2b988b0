import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { eventually } from "../../support/processes.ts";
import type { Project } from "./project.ts";

export const COLOUR = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Blue" }, { label: "Red" }],
};

export const QUESTION = {
  hook_event_name: "PermissionRequest",
  tool_name: "AskUserQuestion",
  tool_input: { questions: [COLOUR] },
};

export function spool({ folder }: Project): readonly Readonly<Record<string, unknown>>[] {
  const file = join(folder, "state/tenterhook/spool/spool.jsonl");
  if (!existsSync(file)) return [];
  // A line that is being written does not count.
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** A user's own configuration: only he can have questions answered. */
export function userConfig({ write }: Project, config: object): void {
  write("../config/tenterhook/hooks.yaml", stringify(config));
}

export const waiting = (project: Project, count = 1) =>
  eventually(() => expect(spool(project).length).toBe(count));
