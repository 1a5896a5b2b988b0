import { withCommandsAlone } from "../fields/alone.ts";
import { asPath, compileField, type Field } from "../fields/fields.ts";
import { runField } from "../fields/run-field.ts";
import { touchField } from "../fields/touch-field.ts";
import type { Access } from "../fields/touched.ts";

/** Where a required text is looked for: a field and how it is read. Plain data, so that it can be kept. */
export interface FieldReading {
  /** As a test names it. */
  readonly field: string;
  readonly as: "itself" | "path" | "runs" | Access;
  /** Also in each command of the line by itself. */
  readonly alone?: true;
}

/** The field a reading stands for. */
export function readingField({ field: name, as, alone }: FieldReading): Field {
  const field = readAs(compileField(name), as);
  return alone === true ? withCommandsAlone(field) : field;
}

function readAs(field: Field, as: FieldReading["as"]): Field {
  switch (as) {
    case "itself":
      return field;
    case "path":
      return asPath(field);
    case "runs":
      return runField(field);
    case "reads":
    case "writes":
    case "connects":
      return touchField(field, as);
    default:
      return as satisfies never;
  }
}
