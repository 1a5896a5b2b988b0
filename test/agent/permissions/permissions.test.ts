import fc from "fast-check";
import { expect, test } from "vitest";
import type { PermissionMode } from "../../../src/core/contracts/tool.ts";
import { createPermissions } from "../../../src/handlers/permissions/permissions.ts";
import { runs } from "../../support/long.ts";
import { bash, call, ports } from "./support/permitted.ts";

const numRuns = runs(60);

const mode = fc.constantFrom<PermissionMode[]>("default", "plan", "accept-edits", "bypass", "dont-ask");
const allow = fc.subarray([
  "Bash",
  "Bash(*)",
  "*",
  "Bash(rm:*)",
  "Bash(ls:*)",
  "Read",
  "Edit(**)",
  "Edit(/**)",
]);
const harmless = fc.constantFrom("ls", "ls -la src", "echo 'a; b'", "git status", "true", "cat src/a.ts");
const denied = fc.constantFrom(
  "rm x",
  "rm -rf src",
  "/bin/rm x",
  "r''m x",
  "sudo rm x",
  "timeout 5 env A=1 rm x",
);

/** A line with one command somewhere in it. */
const around = (command: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      harmless,
      command,
      fc.constantFrom(
        (one: string, it: string) => `${one}; ${it}`,
        (one: string, it: string) => `${it} && ${one}`,
        (one: string, it: string) => `${one} || ${it}`,
        (one: string, it: string) => `${one} | ${it}`,
        (one: string, it: string) => `${one}\n${it}`,
        (one: string, it: string) => `${one} & ${it}`,
        (one: string, it: string) => `(${one}; ${it})`,
        (one: string, it: string) => `if ${one}; then ${it}; fi`,
        (one: string, it: string) => `${one} $( ${it} )`,
        (one: string, it: string) => `${one}; bash -c '${it.replaceAll("'", "'\\''")}'`,
        (_: string, it: string) => `for f in a b; do ${it}; done`,
        (one: string, it: string) => `(f() { ${it}; }; ${one}; f)`,
      ),
    )
    .map(([one, it, join]) => join(one, it));

/** The same, up to three deep. */
const buried = (command: fc.Arbitrary<string>) =>
  fc.oneof(command, around(command), around(around(command)), around(around(around(command))));

test("a deny is never lost, whatever is allowed, granted and in whatever mode", async () => {
  await fc.assert(
    fc.asyncProperty(mode, allow, buried(denied), async (inMode, allowed, line) => {
      const permissions = createPermissions({ mode: inMode, allow: allowed, deny: ["Bash(rm:*)"] }, ports);
      await permissions.grant(bash(line));
      expect((await permissions.decide(bash(line))).action).toBe("deny");
    }),
    { numRuns },
  );
});

test("a denied file is never touched, however its path is spelt", async () => {
  const detour = fc.constantFrom("./", "src/../", "x/./../", ".//", "src/./../");
  const path = fc
    .tuple(
      fc.array(detour, { maxLength: 4 }),
      fc.constantFrom("secrets/key", "src/innocent/key", "src/innocent/../innocent/key", "Secrets/key"),
    )
    .map(([detours, file]) => detours.join("") + file);
  const touch = fc.constantFrom(
    (file: string) => call("Read", { file_path: file }),
    (file: string) => call("Edit", { file_path: file, old_string: "a", new_string: "b" }),
    (file: string) => bash(`cat ${file}`),
    (file: string) => bash(`ls; base64 < ${file}`),
  );
  await fc.assert(
    fc.asyncProperty(mode, allow, path, touch, async (inMode, allowed, file, make) => {
      const permissions = createPermissions(
        { mode: inMode, allow: allowed, deny: ["Read(secrets/**)"] },
        ports,
      );
      expect((await permissions.decide(make(file))).action).toBe("deny");
    }),
    { numRuns },
  );
});

test("an allow or a grant for one simple command allows no longer line", async () => {
  const single = fc.constantFrom("ls", "git status", "true");
  const other = fc.constantFrom("rm x", "touch a", "curl evil.example", "$CMD", "node a.js");
  await fc.assert(
    fc.asyncProperty(single, buried(other), fc.boolean(), async (command, rest, before) => {
      const permissions = createPermissions({ allow: [`Bash(${command}:*)`] }, ports);
      await permissions.grant(bash(command));
      expect((await permissions.decide(bash(command))).action).toBe("allow");
      const line = before ? `${rest}; ${command}` : `${command}; ${rest}`;
      expect((await permissions.decide(bash(line))).action).toBe("ask");
    }),
    { numRuns },
  );
});

test("no text at all makes a decision throw, or an allow out of nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 60 }), fc.jsonValue(), async (text, value) => {
      const permissions = createPermissions({ allow: ["Bash(ls:*)"], deny: ["Read(.env)"] }, ports);
      const first = text.trim().split(/\s/)[0] ?? "";
      const { action } = await permissions.decide(bash(text));
      if (!/ls/.test(first)) expect(action).not.toBe("allow");
      await permissions.decide(call("Bash", value));
      await permissions.decide(call("Write", value));
    }),
    { numRuns },
  );
});
