import { beforeAll, describe, expect, it } from "vitest";
import { PACKS } from "../../../src/rules/packs/packs.ts";
import { compileInlineRules, type InlineRules } from "../../../src/rules/rules.ts";
import { call, ports } from "../ports.ts";

const hooks: InlineRules[] = [];

beforeAll(async () => {
  for (const [name, pack] of PACKS)
    if (name !== "no-network")
      for (const definition of pack.definitions) hooks.push(await compileInlineRules(definition, ports));
});

/** True when a pack asks about the call or denies it. */
async function isStopped(tool: string, input: unknown): Promise<boolean> {
  for (const { decide } of hooks) {
    const { action } = await decide(call(tool, input));
    if (action === "ask" || action === "deny") return true;
  }
  return false;
}

describe("the packs stop", () => {
  it.each([
    "dasel -f .env",
    "dasel select --file=.env -r dotenv",
    "gawk -f lib.awk -e 'BEGIN{system(\"rm -rf ~\")}'",
    "awk --source 'BEGIN{system(\"rm -rf ~\")}' -f x",
    "awk -e '{print}' .env",
    "cmd /C type .env",
    "cmd /c 'type .env'",
    "ls | cpio -o -O ~/.bashrc",
    "ls | cpio -o -F ~/.bashrc",
    "cpio -i --to-stdout -I .env",
    "ls | cpio -p ~/.ssh",
  ])("%s", async (command) => {
    expect(await isStopped("Bash", { command })).toBe(true);
  });

  it.each(["Remove-Item `\n -Recurse -Force ~", "Get-Content `\r\n .env", "type .env"])(
    "%j in PowerShell",
    async (command) => {
      expect(await isStopped("PowerShell", { command })).toBe(true);
    },
  );
});

describe("the packs let pass", () => {
  it.each([
    "dasel -f package.json .version",
    "dasel put -f config.yaml -v 2 .version",
    "gawk -f lib.awk -e 'BEGIN{print 1}' data.txt",
    "awk '{print $1}' data.txt",
    "type node",
    "type -a python3.11",
    "find src -name '*.ts' | cpio -o -O backup.cpio",
    "cpio -i -F backup.cpio",
    "find src | cpio -pdm build/copy",
  ])("%s", async (command) => {
    expect(await isStopped("Bash", { command })).toBe(false);
  });

  it.each(["Get-ChildItem `\n -Recurse src", "Get-Content `\n README.md"])(
    "%j in PowerShell",
    async (command) => {
      expect(await isStopped("PowerShell", { command })).toBe(false);
    },
  );
});
