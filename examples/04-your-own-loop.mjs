// Put hooks around the tools of a loop you already have.
import { readFile } from "node:fs/promises";
import { ask, createHooks, rewrite, ToolDeniedError } from "tenterhook";

const hooks = createHooks();
hooks.on("PreToolUse", { name: "ask-outside", tools: ["Read"], path_patterns: ["/etc/**"] }, () =>
  ask("Read a system file?"),
);
hooks.on("PostToolUse", { name: "shorten", tools: ["Read"] }, ({ tool_response }) =>
  rewrite(`${String(tool_response).split("\n")[0]} …`),
);

const session = await hooks.session({ session_id: "example", cwd: process.cwd() });

for (const file_path of ["package.json", "/etc/hostname", "no-such-file"]) {
  try {
    const result = await hooks.toolCall({
      session_id: "example",
      cwd: process.cwd(),
      tool_name: "Read",
      tool_input: { file_path },
      execute: (input, { signal }) => readFile(String(input.file_path), { encoding: "utf8", signal }),
      approval: () => false, // Ask a human here.
    });
    console.log(`${file_path}: ${result}`);
  } catch (error) {
    if (error instanceof ToolDeniedError) console.log(`${file_path}: refused: ${error.message}`);
    else
      console.log(`${file_path}: failed: ${error instanceof Error && "code" in error ? error.code : error}`);
  }
}

await session.end("done");
