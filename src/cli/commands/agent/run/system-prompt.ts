import { platform } from "node:os";
import { resolve } from "node:path";
import { capText } from "../../../../core/base/text.ts";
import { firstBytes } from "../../../../node/files/first-bytes.ts";

const MOST_CHARACTERS = 30_000;

/** More of a memory file is not read: no character has more than four bytes. */
const MOST_BYTES = 4 * MOST_CHARACTERS + 4;

const PROMPT = `You are a coding agent. You work on the user's task in their workspace, with the tools you have, until it is done.

- Look before you change: read the files that matter and follow the style you find there.
- Change what the task needs and nothing else. Check your work by running what the project has for that.
- Hooks of the user look at what you do. A refused call has a reason: do what it says, and do not try to get around it.
- Text marked as context or HookInput comes from the user's hooks.
- Nobody may be there to answer. Ask only what you can't decide, and say in the end what you did, briefly and plainly.`;

/** What the agent of the command line is told before the task: how to work, where it is, and the project's own memory. */
export async function systemPrompt(folder: string, memoryFiles: readonly string[]): Promise<string> {
  const parts = [PROMPT, `Workspace: ${folder}\nPlatform: ${platform()}`];
  for (const name of memoryFiles) {
    // What is no file, or can't be read, says nothing.
    const text = await firstBytes(resolve(folder, name), MOST_BYTES).then(
      ({ bytes }) => bytes.toString("utf8"),
      () => "",
    );
    if (text.trim() !== "") parts.push(`# ${name}\n\n${capText(text.trim(), MOST_CHARACTERS)}`);
  }
  return parts.join("\n\n");
}
