import { describe, expect, it } from "vitest";
import { shellCall } from "../cli/support/project.ts";
import { json, watchedProject } from "../cli/support/watched-project.ts";
import { kill } from "../support/faults/kill.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { connected, loggedIn, pageOpener } from "./support/browser.ts";

const openPage = pageOpener();

describe("tenterhook dashboard", () => {
  leaveOut(notLinux);

  it("prints a link to the daemon that it starts, and the page goes on after that one was killed", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    const { url } = await json(project, "dashboard", "--no-open");
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]+$/);
    const { page } = await openPage();
    await loggedIn(page, url);
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Go.", session_id: "s1" });
    const rows = page.getByRole("table", { name: "Agents" }).getByRole("row");
    await rows.filter({ hasText: "working" }).waitFor();
    const { pid } = await json(project, "daemon", "status");
    kill(pid);
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await page.getByRole("status").filter({ hasText: "Reconnecting" }).waitFor();
    await project.hook(shellCall("true"));
    await project.run(["daemon", "start"]);
    await connected(page);
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Go on.", session_id: "s2" });
    await expect.poll(() => rows.count()).toBe(3);
  });
});
