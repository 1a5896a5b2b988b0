import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { provePage } from "../../../src/know/prove/page.ts";
import { leaveOut, notLinux } from "../../support/not-here.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { expectDrawn } from "../support/chromium.ts";

const PAGE = provePage(
  [
    { title: "Claude Code", version: "2.1.325", scenarios: [{ name: "deny", result: "obeyed" }] },
    {
      title: "Codex",
      version: "0.166.0",
      scenarios: [
        {
          name: "deny",
          result: "not_reached",
          why: "Codex does not trust our entry in </script><b>a folder</b>",
          way_out: "tenterhook install codex --trust",
        },
        { name: "ask", result: "degraded", why: "Codex refuses instead" },
      ],
    },
  ],
  new Date(0),
);

describe("the page of a proof", () => {
  it("shows agents by scenarios, why something is not obeyed, and no text as markup", () => {
    expect(PAGE).toContain('<span class="tag deny">not reached</span>');
    expect(PAGE).toContain(
      '&lt;b&gt;a folder&lt;/b&gt;<br><span class="muted">tenterhook install codex --trust',
    );
    expect(PAGE).not.toContain("<b>a folder");
  });

  it("needs no network, and fits a phone", () => {
    expect(PAGE).not.toMatch(/https?:|src=|<script/);
    expect(PAGE).toContain("default-src 'none'");
  });
});

describe("the page of a proof in Chromium", () => {
  leaveOut(notLinux);

  it("is drawn in light and dark, and as wide as a phone", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "proof.html");
    writeFileSync(file, PAGE);
    await expectDrawn(folder, `file://${file}`);
  });
});
