import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { typedHistory } from "../../src/cli/commands/agent/chat/typed-history.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("keeps what was typed in a chat when the file of all chats is shortened", () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const file = join(environment.XDG_STATE_HOME, "tenterhook/chat-history.jsonl");
  mkdirSync(join(file, ".."));
  const old = Array.from({ length: 1001 }, (_, number) => `old ${number}`);
  writeFileSync(file, old.map((text) => `${JSON.stringify(text)}\n`).join(""));

  const chat = typedHistory(environment);
  expect(chat.entries).toEqual(old.slice(-500));
  const other = typedHistory(environment);
  for (const text of ["one", "two"]) chat.add(text);
  other.add("three");
  expect(typedHistory(environment).entries.slice(-5)).toEqual(["old 999", "old 1000", "one", "two", "three"]);
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(504);
});
