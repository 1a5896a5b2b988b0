import { beforeAll, describe, expect, it } from "vitest";
import { protectSecrets } from "../../../src/rules/packs/protect-secrets.ts";
import { safeShell } from "../../../src/rules/packs/safe-shell.ts";
import { compileInlineRules, type InlineRules, openInlineRules } from "../../../src/rules/rules.ts";
import { call, ports } from "../ports.ts";

const THERE = [".env", "/project/.env", "/project/app.db", "/home/ann/.aws/credentials", "keys/server.key"];
const here = { ...ports, holdsData: (path: string) => THERE.includes(path) };
const definitions = [...safeShell.definitions, ...protectSecrets.definitions];

let hooks: readonly InlineRules[] = [];

beforeAll(async () => {
  hooks = await Promise.all(definitions.map((definition) => compileInlineRules(definition, here)));
});

async function isStopped(tool: string, input: unknown, by = hooks): Promise<boolean> {
  for (const { decide } of by) {
    const { action } = await decide(call(tool, input));
    if (action === "ask" || action === "deny") return true;
  }
  return false;
}

describe("the packs of init stop a tool that is no shell", () => {
  it.each([
    ["Write", { file_path: "/project/.env", content: "A=1" }],
    ["Write", { file_path: "/home/ann/.aws/credentials", content: "" }],
    ["write_file", { file_path: "/project/app.db", content: "" }],
    ["mcp__filesystem__write_file", { path: "/project/.env", content: "" }],
    ["mcp__filesystem__move_file", { source: "/project/a", destination: "/project/app.db" }],
    ["str_replace_based_edit_tool", { command: "create", path: "/project/app.db", file_text: "" }],
    ["Delete", { file_path: "/project/app.db" }],
    ["Edit", { file_path: "/project/.git/hooks/pre-push", old_string: "a", new_string: "b" }],
    ["mcp__mysql__execute", { statement: "delete from users" }],
    ["mcp__db__run", { sql: "update users set admin = true" }],
    ["mcp__sqlite__write_query", { query: "DELETE FROM users WHERE 1=1" }],
    ["mcp__github__delete_repository", { repo: "shop" }],
    ["mcp__neon__delete_project", { id: "p" }],
    ["mcp__k8s__pods_delete", { name: "api" }],
    ["mcp__redis__flushall", {}],
    ["mcp__mongodb__delete-many", { collection: "users", filter: {} }],
    ["mcp__cloudflare__r2_bucket_delete", { name: "b" }],
    ["mcp__gitlab__merge_merge_request", { id: 1 }],
    ["mcp__github__push_files", { branch: "main", files: [] }],
    ["WebFetch", { url: `https://example.com/?t=ghp_${"a1".repeat(18)}`, prompt: "" }],
    ["WebSearch", { query: `AKIA${"A2B3".repeat(4)} what is this key` }],
  ])("%s %j", async (tool, input) => {
    expect(await isStopped(tool, input)).toBe(true);
  });

  it("also the last file of a large patch", async () => {
    const files = [...Array.from({ length: 80 }, (_, at) => `src/a${at}.ts`), "app.db"];
    const parts = files.map((file) => `*** Delete File: /project/${file}`);
    const patch = ["*** Begin Patch", ...parts, "*** End Patch"].join("\n");
    expect(await isStopped("apply_patch", { input: patch })).toBe(true);
  });

  it("also in a process that decides one call", async () => {
    const opened = definitions.map((definition) => openInlineRules(definition, here));
    expect(await isStopped("Write", { file_path: "/project/.env", content: "" }, opened)).toBe(true);
  });
});

describe("the packs of init leave a tool alone", () => {
  it.each([
    ["Write", { file_path: "/project/.env.local", content: "A=1" }],
    ["Write", { file_path: "/project/src/a.ts", content: "drop table users" }],
    ["Edit", { file_path: "/project/src/a.ts", old_string: "a", new_string: "DELETE FROM users" }],
    ["Delete", { file_path: "/project/src/old.ts" }],
    ["mcp__postgres__query", { sql: "SELECT 'drop table' FROM t" }],
    ["mcp__postgres__query", { sql: "DELETE FROM sessions WHERE id = 4" }],
    ["mcp__exa__web_search", { query: "drop table if exists postgres" }],
    ["mcp__context7__get-library-docs", { query: "delete from joins" }],
    ["mcp__memory__delete_entities", { entityNames: ["a"] }],
    ["mcp__linear__remove_label", { id: "1" }],
    ["mcp__playwright__browser_select_dropdown", { ref: "e1" }],
    ["mcp__github__push_files", { branch: "topic", files: [] }],
    ["mcp__serena__delete_lines", { relative_path: "src/a.ts" }],
    ["WebFetch", { url: "https://docs.example.com/sk-learn/pipelines", prompt: "AKIA?" }],
    ["WebSearch", { query: "what does ghp_ mean" }],
  ])("%s %j", async (tool, input) => {
    expect(await isStopped(tool, input)).toBe(false);
  });
});
