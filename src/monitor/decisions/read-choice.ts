import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { Choice } from "./resolve.ts";

/** Reads what a person wrote as a choice: `label: message`, or anything that is a choice by itself. */
export function choiceOf({ options }: HumanRequest, written: string): Choice {
  const text = written.trim();
  if (text === "") return { choices: [] };
  const [, name = "", message = ""] = /^(\w+)\s*:\s*(.+)$/s.exec(text) ?? [];
  const isLabel = options.some(({ label }) => label.toLowerCase() === name.toLowerCase());
  return isLabel ? { choices: [name], message } : { choices: [text] };
}
