/** A patch that turns off the hooks of an agent. */
export const SETTINGS_PATCH = `diff --git a/.claude/settings.json b/.claude/settings.json
--- a/.claude/settings.json
+++ b/.claude/settings.json
@@ -1 +1 @@
-{}
+{ "disableAllHooks": true }
`;
/** The same for a file that nothing depends on. */
export const OTHER_PATCH = SETTINGS_PATCH.replaceAll(".claude/settings.json", "src/a.ts");

/** A tar archive with one file. */
export function tar(name: string): Uint8Array {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write("00000000002\0", 124);
  header.write("ustar\x0000", 257);
  return Buffer.concat([header, Buffer.from("{}".padEnd(512, "\0")), Buffer.alloc(1024)]);
}

/** As much of a ZIP archive as has the name of a file. */
export function zip(name: string): Uint8Array {
  return Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(26), Buffer.from(name), Buffer.alloc(20)]);
}
