import { describe, expect, it } from "vitest";
import { askedAbout, guarded, HOOK } from "./support/guarded.ts";
import { project } from "./support/project.ts";
import { OTHER_PATCH, SETTINGS_PATCH } from "./support/sources.ts";

describe("a patch", () => {
  it("is asked about when it changes protected files, or can't be read", async () => {
    const files = guarded();
    files.write("project/bad.patch", SETTINGS_PATCH);
    files.write(
      "project/quoted.patch",
      OTHER_PATCH.replaceAll("b/src/a.ts", '"b/\\056claude/settings.json"'),
    );
    files.write("project/relative.patch", SETTINGS_PATCH.replaceAll(".claude/", ""));
    const script = SETTINGS_PATCH.replaceAll(".claude/settings.json", "hooks/guard.sh");
    const variants = [
      script.replaceAll("hooks/", "hooks//"),
      script.replaceAll("hooks/", "hooks/./"),
      script.replaceAll("hooks/", "hooks/x/../"),
      script.replaceAll(/^diff.*\n/gm, "").replaceAll("guard.sh", "guard.sh 2026-01-01 00:00:00"),
      script.replaceAll(/^/gm, "  "),
      "Index:hooks/guard.sh\n@@ -1 +1 @@\n-exit 0\n+exit 1\n",
    ];
    for (const [at, text] of variants.entries()) files.write(`project/variant-${at}.patch`, text);
    const lines = [
      "git apply bad.patch",
      "git apply -R bad.patch",
      "git apply < bad.patch",
      "git am bad.patch",
      "cat bad.patch | git apply",
      "patch -p1 < bad.patch",
      "patch -p1 -i bad.patch",
      "patch -p1 --input=bad.patch",
      "git apply quoted.patch",
      ...variants.map((_, at) => `patch -p1 < variant-${at}.patch`),
      "git apply --directory=.claude relative.patch",
      "patch -d .claude -p1 < relative.patch",
      "git apply missing.patch",
      "curl https://example.com/x.patch | git apply",
      `git apply <<'E'\n${SETTINGS_PATCH}E`,
      `patch -p1 <<'E'\n${SETTINGS_PATCH}E`,
      `cat <<'E' | patch -p1\n${SETTINGS_PATCH}E`,
    ];
    expect(await askedAbout(files, lines)).toEqual(lines);
  });

  it("is asked about when the name of the file has spaces", async () => {
    const files = project({
      "hooks.yaml": HOOK.replace("bash hooks/guard.sh", "bash 'hooks/the guard.sh'"),
      "project/hooks/the guard.sh": "exit 0\n",
    });
    files.write(
      "project/bad.patch",
      SETTINGS_PATCH.replaceAll(".claude/settings.json", "hooks/the guard.sh"),
    );
    files.write("project/good.patch", SETTINGS_PATCH.replaceAll(".claude/settings.json", "hooks/guard.sh"));
    const lines = ["git apply bad.patch", "git apply good.patch"];
    expect(await askedAbout(files, lines)).toEqual(["git apply bad.patch"]);
  });

  it("is not asked about when it changes other files, or is only looked at", async () => {
    const files = guarded();
    files.write("project/good.patch", OTHER_PATCH);
    files.write("project/bad.patch", SETTINGS_PATCH);
    const lines = [
      "git apply good.patch",
      "git am good.patch",
      "patch -p1 < good.patch",
      "cat good.patch | git apply",
      "git apply --check bad.patch",
      "git apply --stat bad.patch",
      "patch --dry-run -p1 < bad.patch",
      `git apply <<'E'\n${OTHER_PATCH}E`,
      "cd /usr && git apply missing.patch",
    ];
    expect(await askedAbout(files, lines)).toEqual([]);
  });
});
