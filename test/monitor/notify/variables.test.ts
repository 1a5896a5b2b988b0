import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { monitorVariables } from "../../../src/monitor/notify/variables.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function written(text: string, mode = 0o600) {
  const environment = { XDG_CONFIG_HOME: temporaryFolder() };
  const file = join(environment.XDG_CONFIG_HOME, "tenterhook/monitor.env");
  mkdirSync(join(file, ".."));
  writeFileSync(file, text);
  chmodSync(file, mode);
  return { environment, file };
}

describe("monitor.env", () => {
  it("has a variable on each line", () => {
    const { environment } = written(
      "# Telegram\nBOT_TOKEN=4711:AAH=x\n\nexport NTFY_TOKEN=\"tk one\"\n  HOOK_KEY = 'a b' \nEMPTY=\n",
    );
    expect(monitorVariables(environment)).toEqual({
      variables: { BOT_TOKEN: "4711:AAH=x", NTFY_TOKEN: "tk one", HOOK_KEY: "a b", EMPTY: "" },
    });
  });

  it("need not be there", () => {
    expect(monitorVariables({ XDG_CONFIG_HOME: temporaryFolder() })).toEqual({ variables: {} });
  });

  it.each([
    [0o644, "other users may read it. Run chmod 600 on it."],
    [0o622, "other users may write it."],
  ])("with the mode %o does not count", (mode, why) => {
    const { environment, file } = written("BOT_TOKEN=x\n", mode);
    expect(monitorVariables(environment)).toEqual({
      variables: {},
      problem: `${file} is not used: ${why}`,
    });
  });

  it("with lines that say nothing is read as far as possible", () => {
    const { environment, file } = written("BOT_TOKEN=x\nhello\n");
    expect(monitorVariables(environment)).toEqual({
      variables: { BOT_TOKEN: "x" },
      problem: `${file} has lines that are not NAME=value: 1.`,
    });
  });
});
