import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reachableHere } from "../../src/cli/commands/hooks/reach/find.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a store of passwords is asked about by a file in it, and a single file by its name", async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, ".password-store"));
  for (const name of [".password-store/mail.gpg", ".pgpass"]) writeFileSync(join(home, name), "x");
  const { signal } = new AbortController();
  const found = await reachableHere({ cwd: home, environment: { HOME: home, PATH: "" }, signal });
  const read = (item: string) => found.find((one) => one.item === join(home, item))?.calls[0]?.tool_input;
  expect(read(".password-store")).toEqual({ file_path: join(home, ".password-store/mail.gpg") });
  expect(read(".pgpass")).toEqual({ file_path: join(home, ".pgpass") });
});
