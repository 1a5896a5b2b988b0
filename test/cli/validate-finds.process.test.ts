import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { newProject } from "./support/project.ts";
import { findings, hooksProject } from "./support/validate-findings.ts";

const command = (line: string, tools = "Bash") => `
    - name: h
      type: command
      command: ${line}
      matcher: { events: [PreToolUse], tools: ["${tools}"] }
`;

describe("validate asks the shell, and finds", () => {
  it("a shell line that the shell can't read", async () => {
    expect(await findings(hooksProject(command("'if true; then echo'")))).toEqual([
      expect.stringMatching(/^error 5:16 Hook "h": the shell can't read the command: .*[Ss]yntax error/),
    ]);
  });

  it("everything at once, of every hook", async () => {
    const second = command("'true'").replace("name: h", "name: i");
    expect(await findings(hooksProject(`${command("'if'", "^Bash$")}${second}`))).toHaveLength(2);
  });

  it("scripts with Windows line ends and with syntax errors", async () => {
    const project = newProject();
    project.write("crlf.sh", "#!/bin/sh\r\necho x\r\n");
    project.write("broken.sh", "#!/bin/sh\nif true; then\n");
    project.write("fine.py", "if True:\r\n  print(1)\r\n");
    const hook = (script: string) => ({
      name: script,
      type: "command",
      script,
      matcher: { events: ["Stop"] },
    });
    const named = (line: string, at: number) => ({
      name: `named-${at}`,
      type: "command",
      command: line,
      matcher: { events: ["Stop"] },
    });
    const definitions = [
      ...["crlf.sh", "broken.sh", "fine.py"].map(hook),
      ...["./crlf.sh", 'bash -e "$TENTERHOOK_PROJECT_DIR/broken.sh" x', "wc crlf.sh", "python3 fine.py"].map(
        named,
      ),
    ];
    project.write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions } }));
    expect(await findings(project)).toEqual([
      expect.stringContaining("crlf.sh has Windows line ends (CRLF)"),
      expect.stringContaining("the shell can't read broken.sh"),
      expect.stringContaining('Hook "named-0": crlf.sh has Windows line ends (CRLF)'),
      expect.stringContaining(`Hook "named-1": the shell can't read broken.sh`),
    ]);
  });

  it("what is wrong with the rest of a hook that has an unknown key or a value of another kind", async () => {
    const project = newProject();
    const matcher = { events: ["PreToolUse"], tools: ["Read", "^Bash$"], toolz: 1 };
    const hook = { name: "h", type: "command", command: "if true; then", timeout: -3, matcher };
    const rules = { name: "r", type: "inline", rules: 7, matcher };
    project.write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions: [hook, rules] } }));
    const found = (await findings(project)).join("\n");
    expect(found.match(/"(h|r)": (timeout|rules|matcher|tools|the shell)/g)?.sort()).toEqual([
      '"h": matcher',
      '"h": the shell',
      '"h": timeout',
      '"h": tools',
      '"r": matcher',
      '"r": rules',
      '"r": tools',
    ]);
    expect((await findings(project)).length).toBe(7);
  });
});
