import { harmless } from "../../shared/harmless.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text for a page, in which nothing is markup or hidden. */
export function html(text: string): string {
  return harmless(text).replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}
