import { field, issuesIn, neededField, type Schema, schemas, type ValueOf } from "../../core/base/schemas.ts";
import { DEFAULT_LIMITS, LIMITS } from "../../core/registration/limits.ts";
import { SECTIONS } from "./sections.ts";

const defaults = Object.entries(DEFAULT_LIMITS).map(([name, value]) => `${name} ${value}`);

const MODE = schemas.word("enforce", "shadow");
const USED = schemas.either(
  "a name, or an object with pack and mode",
  schemas.text,
  schemas.object({
    pack: neededField(schemas.text, "The pack, file or package."),
    mode: field(MODE, "shadow: its hooks only show what they would do."),
  }),
);

/** The keys that are no section of their own. */
function ownKeys<Item extends Schema>(definition: Item) {
  return {
    $schema: field(schemas.string, "The address of the schema, for editors."),
    hooks: field(
      schemas.object({
        timeout: field(schemas.seconds, "Seconds for hooks that have no timeout of their own. Default 30."),
        disabled: field(
          schemas.texts,
          "Hooks, packs and rules of packs that are off, by name; NAME until 2026-03-09T14:30:00Z for a while.",
        ),
        llm_model: field(schemas.text, "Another spelling of models.judge."),
        limits: field(
          schemas.object(LIMITS),
          `Limits on what hooks can make an agent do. Defaults: ${defaults.join(", ")}.`,
        ),
        tools: field(
          schemas.texts,
          "Names of your own tools, for validate: it warns about names that look misspelt.",
        ),
        use: field(
          schemas.list(USED, "a list of names, or of { pack, mode }"),
          "Packs of this package, other files, installed packages, and policies by address (git+https://host/team/policy.git#REVISION, npm:NAME@VERSION); with mode: shadow, only to see what they would do.",
        ),
        managed_by: field(
          schemas.text,
          "In the managed file: who manages these hooks, and where to ask. Every refusal ends with it.",
        ),
        mode: field(MODE, "shadow: all hooks of this file, and those it uses, only show what they would do."),
        definitions: field(schemas.list(definition, "a list of hook definitions"), "The hooks."),
      }),
      "Hooks, and settings that hold for all of them.",
    ),
  };
}

/** The type of the whole format. It names its parts, whose types would otherwise be in the package twice. */
interface FileSchema<Item extends Schema> {
  readonly is: "object";
  readonly fields: ReturnType<typeof ownKeys<Item>> & typeof SECTIONS;
  readonly must: string;
}

/** The whole format, for definitions of this schema. */
export function fileSchema<Item extends Schema>(definition: Item): FileSchema<Item> {
  return schemas.object({ ...ownKeys(definition), ...SECTIONS });
}

/** The format without the definitions, each of which is checked by its own type. */
export const FILE: FileSchema<typeof schemas.anything> = fileSchema(schemas.anything);

/** A file that was checked, apart from its definitions. */
export type FileContent = ValueOf<typeof FILE>;

/** True for a file without anything wrong in it, apart from its definitions. */
export function isFileContent(value: unknown): value is FileContent {
  return issuesIn(value, FILE).length === 0;
}
