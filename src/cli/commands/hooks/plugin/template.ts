/** What differs between the languages of a plug-in. */
interface Language {
  /** The module that users import. */
  readonly main: string;
  /** The file that people edit, and its test. */
  readonly source: string;
  readonly test: string;
  /** What `package.json` says besides what all plug-ins say. */
  readonly manifest: object;
  readonly files: Readonly<Record<string, string>>;
}

const JAVASCRIPT: Language = {
  main: "index.js",
  source: "index.js",
  test: "index.test.js",
  manifest: { exports: "./index.js", files: ["index.js", "hooks.yaml"], scripts: { test: "node --test" } },
  files: {},
};

const TYPESCRIPT: Language = {
  main: "dist/index.js",
  source: "src/index.ts",
  test: "src/index.test.ts",
  manifest: {
    exports: { types: "./dist/index.d.ts", default: "./dist/index.js" },
    files: ["dist", "!dist/*.test.*", "hooks.yaml"],
    scripts: { build: "tsc", test: "tsc && node --test dist/index.test.js", prepack: "tsc" },
    devDependencies: { "@types/node": ">=20", typescript: ">=5.9" },
  },
  files: {
    "tsconfig.json": `${JSON.stringify(
      {
        compilerOptions: {
          target: "es2023",
          module: "nodenext",
          types: ["node"],
          rootDir: "src",
          outDir: "dist",
          declaration: true,
          strict: true,
          verbatimModuleSyntax: true,
        },
        include: ["src"],
      },
      undefined,
      2,
    )}\n`,
    ".gitignore": "node_modules\ndist\n",
  },
};

/** The files of a new plug-in, by their path in its folder. */
export function pluginFiles(
  name: string,
  version: string,
  isTypeScript: boolean,
): Readonly<Record<string, string>> {
  const { main, source, test, manifest, files } = isTypeScript ? TYPESCRIPT : JAVASCRIPT;
  return {
    "package.json": `${JSON.stringify(
      {
        name,
        version: "0.1.0",
        description: "Hooks for AI agents, to be used with Tenterhook.",
        keywords: ["tenterhook-plugin"],
        type: "module",
        ...manifest,
        peerDependencies: { tenterhook: `>=${version}` },
      },
      undefined,
      2,
    )}\n`,
    ...files,
    [source]: `import { definePlugin, deny, hook } from "tenterhook";

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
    "hooks.yaml": `# What \`use: [npm:${name}]\` in a configuration finds. List every event of a hook in ${source}.
hooks:
  definitions:
    - name: ${JSON.stringify(name)}
      type: module
      module: ./${main}
      matcher: { events: [PreToolUse] }
`,
    [test]: `import assert from "node:assert/strict";
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
