import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GEMINI } from "../support/gemini.ts";
import { provingPerson } from "../support/proofs.ts";
import { writeJson } from "../support/run-program.ts";

it("finds the extension whose reply makes Gemini CLI forget ours", { timeout: 400_000 }, async () => {
  const project = await provingPerson(
    { ...GEMINI, agent: "gemini" },
    {
      prepare: ({ cwd, environment }) =>
        writeJson(join(environment.HOME ?? "", ".gemini/trustedFolders.json"), { [cwd]: "TRUST_FOLDER" }),
    },
  );
  const { folder, environment } = project;
  const extension = join(environment.HOME ?? "", ".gemini/extensions/chatty");
  const mcpServers = { server: { command: "touch", args: [join(folder, "started")] } };
  const nonsense = { type: "command", command: `echo '{"hookSpecificOutput": 7}'` };
  writeJson(join(extension, "gemini-extension.json"), { name: "chatty", version: "1.0.0", mcpServers });
  writeJson(join(extension, "hooks/hooks.json"), { hooks: { BeforeTool: [{ hooks: [nonsense] }] } });
  const { code, stdout } = await project.run(["prove", "gemini", "--with-mine", "--json", "--yes"]);
  const [{ scenarios, with_mine }] = JSON.parse(stdout).agents;
  expect([code, scenarios[0], with_mine.scenarios[0]]).toEqual([
    1,
    { name: "deny", result: "obeyed" },
    {
      name: "deny",
      result: "ignored",
      why: expect.stringContaining(
        "Gemini CLI obeys alone; with your plug-ins it runs what was refused: chatty",
      ),
    },
  ]);
  expect(existsSync(join(folder, "started"))).toBe(false);
});
