import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundledProgram } from "../support/bundled-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("a claim", () => {
  it("keeps processes apart, also those that find an abandoned one", async () => {
    const program = bundledProgram(new URL("support/counter.ts", import.meta.url));
    const file = join(temporaryFolder(), "number");
    writeFileSync(file, "0");
    const codes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const [code] = await once(
          spawn(process.execPath, [program, file, "25"], { stdio: "inherit" }),
          "exit",
        );
        return code;
      }),
    );
    expect([codes, readFileSync(file, "utf8")]).toEqual([[0, 0, 0, 0], "100"]);
  });
});
