import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { filesBelow, ROOT, read } from "./files.ts";

/** A block of code in a page. */
export interface Block {
  /** `docs/guides/agent.md`, the second block: `docs/guides/agent.md#2`. */
  readonly name: string;
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** The pages people read first. */
export const PAGES = [
  "README.md",
  "docs/README.md",
  "examples/README.md",
  "examples/compare/README.md",
  ...filesBelow("docs/guides", /\.md$/),
];

/** All blocks of these pages, in order. */
export function blocks(): readonly Block[] {
  return PAGES.flatMap((page) =>
    [...read(page).matchAll(/^```(\w*)\n(.*?)^```/gms)].map(([, language = "", text = ""], index) => ({
      name: `${page}#${index + 1}`,
      page,
      language,
      text,
    })),
  );
}

/** The links of a page that lead nowhere: to no file, or to no heading of one. */
export function brokenLinks(page: string): readonly string[] {
  return linksOf(page)
    .filter((target) => !leadsSomewhere(page, target))
    .map((target) => `${page}: ${target}`);
}

/** The links of a page to files that users of the package do not have. */
export function linksOutOfPackage(page: string): readonly string[] {
  const { files } = manifest;
  const left = files.flatMap((name) => (name.startsWith("!") ? [name.slice(1)] : []));
  const isBelow = (file: string) => (name: string) => file === name || file.startsWith(`${name}/`);
  return linksOf(page)
    .filter((target) => {
      const file = linkedFile(page, target);
      return !files.some(isBelow(file)) || left.some(isBelow(file));
    })
    .map((target) => `${page}: ${target}`);
}

/** Lists of a page that have nothing in them: tables without a row, and enumerations without an item. */
export function emptyLists(page: string): readonly string[] {
  const prose = read(page).replaceAll(/^```.*?^```/gms, "");
  const tables = prose.matchAll(/^\|.*\|\n\|[ |:-]+\|\n(?!\|)/gm);
  const sentences = prose
    .replaceAll(/`+[^`\n]*`+/g, "x")
    .matchAll(/.*(?:\w:|\bof|\bare|\bis|,|\*\*) [.;,](?!\w).*/g);
  return [...tables, ...sentences].map(([found]) => `${page}: ${found}`);
}

/** The links of a page that are no addresses. */
function linksOf(page: string): readonly string[] {
  const prose = read(page).replaceAll(/^```.*?^```/gms, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^https?:/.test(target));
}

function linkedFile(page: string, target: string): string {
  const [path = ""] = target.split("#");
  return path === "" ? page : normalize(join(dirname(page), path));
}

function leadsSomewhere(page: string, target: string): boolean {
  const [, heading] = target.split("#");
  const file = linkedFile(page, target);
  if (!existsSync(join(ROOT, file))) return false;
  if (heading === undefined || statSync(join(ROOT, file)).isDirectory()) return heading === undefined;
  return [...read(file).matchAll(/^#+ (.*)$/gm)].some(([, title = ""]) => anchor(title) === heading);
}

/** How a heading is named in an address. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** What the examples take for granted: what a reader has, and functions whose names say what they do. */
export const GIVEN = `
import type { Hooks } from "tenterhook";
import type { Agent, Tool } from "tenterhook/agent";
import type { TranscriptStore } from "tenterhook/stores";

declare global {
  const cwd: string;
  const session_id: string;
  const agent_id: string;
  const turn_id: string;
  const checkpoint_id: string;
  const model: string;
  const old_model: string;
  const new_model: string;
  const command: string;
  const png: Uint8Array;
  const tools: readonly Tool[];
  const hooks: Hooks;
  const store: TranscriptStore;
  const agent: Agent;
  const signal: AbortSignal;
  const error: Error;
  const messages: { role: string; content: string }[];
  function workOn(messages: readonly unknown[]): Promise<void>;
  function testsPass(): Promise<boolean>;
  function askTheTeam(): Promise<undefined>;
  function askTheServer(): Promise<undefined>;
  function advise(): undefined;
  function askHuman(reason: string | undefined): Promise<boolean>;
  function payBack(order: string, amount: number): Promise<string>;
  function runShell(command: unknown, signal: AbortSignal): Promise<string>;
  function remember(...values: readonly unknown[]): void;
  function switchTo(model: string): void;
  function log(...values: readonly unknown[]): void;
  function page(text: string): void;
}
`;
