/** The files of a new plug-in, by their path in its folder. */
export function pluginFiles(name: string, version: string): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify(
      {
        name,
        version: "0.1.0",
        description: "Hooks for AI agents, to be used with Tenterhook.",
        keywords: ["tenterhook-plugin"],
        type: "module",
        exports: "./index.js",
        files: ["index.js", "hooks.yaml"],
        scripts: { test: "node --test" },
        peerDependencies: { tenterhook: `>=${version}` },
      },
      undefined,
      2,
    )}\n`,
    "index.js": `import { definePlugin, deny, hook } from "tenterhook";

export default definePlugin({
  name: ${JSON.stringify(name)},
  hooks: [
    hook("PreToolUse", { name: "no-sudo", tools: "Bash" }, ({ tool_input }) =>
      String(tool_input.command).startsWith("sudo") ? deny("Work without sudo, or ask a person.") : undefined,
    ),
  ],
  rules: 'command runs "npm publish" -> deny("CI publishes.")',
});
`,
    "hooks.yaml": `# What \`use: [npm:${name}]\` in a configuration finds. List every event of a hook in index.js.
hooks:
  definitions:
    - name: ${JSON.stringify(name)}
      type: module
      module: ./index.js
      matcher: { events: [PreToolUse] }
`,
    "index.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { createHooks } from "tenterhook";
import { testHooks } from "tenterhook/testing";
import plugin from "./index.js";

const hooks = createHooks();
await hooks.use(plugin);
const { bash } = await testHooks(hooks);

test("sudo and publishing are refused", async () => {
  assert.equal((await bash("sudo ls")).hook, "${name}/no-sudo");
  assert.equal((await bash("npm publish")).reason, "CI publishes.");
});

test("everyday commands pass", async () => {
  assert.equal((await bash("ls")).action, "continue");
});
`,
    "README.md": `# ${name}

Hooks for AI agents. With [Tenterhook](https://www.npmjs.com/package/tenterhook):

\`\`\`sh
npm install tenterhook ${name}
\`\`\`

In a configuration (\`.tenterhook/hooks.yaml\`): \`hooks: { use: ["npm:${name}"] }\`

In code: \`await hooks.use(plugin)\`, or \`new Agent({ model, plugins: [plugin] })\`
`,
  };
}
