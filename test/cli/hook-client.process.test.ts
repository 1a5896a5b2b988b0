import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { needs } from "../support/needs.ts";
import { client, daemon, HERE, programs, project } from "./support/hook-client.ts";
import { patientClient } from "./support/patient-client.ts";
import { shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

needs("perl");

describe("tenterhook hook as agents call it", () => {
  it("decides here when there is none", async () => {
    expect(await client(await project(), shellCall("git push"))).toEqual(HERE);
  });

  it.each(["dash", "bash"])(
    "writes what the daemon replies, to the byte, and sends it the call, in %s",
    async (shell) => {
      const made = await project();
      const reply = '{"systemMessage":"From the daemon.\\n200 %s"}\n\n';
      let received: unknown;
      await daemon(made, async (request, response) => {
        const { method, url } = request;
        const [id = "", cwd, ...rest] = (await text(request)).split("\0");
        const [payload] = rest.slice(rest.indexOf("") + 1);
        received = {
          method,
          url,
          isId: /^call[0-9a-f]{24}-1$/.test(id),
          cwd,
          variable: rest.find((entry) => entry.startsWith("LINES=")),
          payload: JSON.parse(payload ?? ""),
        };
        response.end(reply);
      });
      made.environment.LINES = "one\ntwo='ü'\n";
      // perl would warn, and so would bash itself.
      if (shell === "dash") made.environment.LC_ALL = "no_such.locale";
      const call = shellCall("echo 'ü' \\n %s");
      expect(await client(made, call, [shell, patientClient(made)])).toEqual({
        code: 0,
        stdout: reply,
        stderr: "",
      });
      expect(received).toEqual({
        method: "POST",
        url: `/hook/${PACKAGE_VERSION}`,
        isId: true,
        cwd: made.cwd,
        variable: "LINES=one\ntwo='ü'\n",
        payload: { session_id: "s1", cwd: made.cwd, tool_use_id: "t1", ...call },
      });
    },
  );

  it("writes to stderr, and ends with the exit code, as the daemon replies", async () => {
    const made = await project();
    await daemon(made, (_, response) => {
      response.setHeader("x-exit-code", "2").setHeader("x-stderr-bytes", "4").end("Nö\n{}\n");
    });
    expect(await client(made, shellCall("git push"), [patientClient(made)])).toEqual({
      code: 2,
      stdout: "{}\n",
      stderr: "Nö\n",
    });
  });

  it("refuses by its exit code when what the daemon replies would go to the null device", async () => {
    const made = await project();
    await daemon(made, (_, response) => {
      response.end('{"decision":"block"}');
    });
    const line = ["/bin/sh", "-c", '"$0" "$1" > /dev/null', patientClient(made)] as const;
    const { code, stderr } = await client(made, shellCall("git push"), line);
    expect(code).toBe(2);
    expect(stderr).toContain("its stdout leads to the null device");
  });

  it("says nothing when the daemon has nothing to say", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.end());
    expect(await client(made, shellCall("git push"), [patientClient(made)])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it.each<[string, RequestListener]>([
    ["leaves the call to it", (_, response) => void response.writeHead(409).end("Decide it yourself.")],
    ["fails", (_, response) => void response.writeHead(500).end("{}")],
    ["sends it elsewhere", (_, response) => void response.writeHead(302, { location: "/other" }).end()],
  ])("decides here when the daemon %s", async (_, listener) => {
    const made = await project();
    await daemon(made, listener);
    expect(await client(made, shellCall("git push"))).toEqual(HERE);
  });

  it("decides here when variables change how perl works", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.end("From the daemon."));
    made.environment.PERL5OPT = "-Mno::such::module";
    expect(await client(made, shellCall("git push"))).toEqual(HERE);
  });

  it("asks the daemon whatever the perl on the PATH does", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.end("From the daemon."));
    made.environment.PATH = `${programs(made, { perl: "exit 126" })}:${made.environment.PATH}`;
    const { code, stdout } = await client(made, shellCall("git push"), [patientClient(made)]);
    expect([code, stdout]).toEqual([0, "From the daemon."]);
  });

  it("refuses a payload with a zero byte, as Node does", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.writeHead(409).end());
    const payload = `{"hook_event_name":"PreToolUse","cwd":${JSON.stringify(made.cwd)},"x":"\0"}`;
    expect(await client(made, payload)).toEqual(await made.start(["hook"], payload));
    expect((await client(made, payload)).code).toBe(2);
  });

  it("decides a payload that is longer than a pipe holds", async () => {
    const made = await project();
    await daemon(made, (_, response) => void response.writeHead(409).end());
    const call = { ...shellCall("git push"), filler: "x".repeat(300_000) };
    expect(await client(made, call)).toEqual(HERE);
  });

  it("passes on every other command, and what it ends with, also through a link", async () => {
    const { cwd, environment, folder } = await project();
    const link = join(folder, "tenterhook");
    symlinkSync(CLI, link);
    const child = spawn(link, ["check", "no such file.yaml"], { cwd, env: environment });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect([code, output]).toEqual([1, expect.stringContaining("no such file.yaml")]);
  });
});
