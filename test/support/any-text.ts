import fc, { type Arbitrary, type ArrayConstraints } from "fast-check";

const SURROGATES = [0xd800, 0xe000] as const;

const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - (SURROGATES[1] - SURROGATES[0]) })
  .map((at) => (at < SURROGATES[0] ? at : at + SURROGATES[1] - SURROGATES[0]));

/** Texts of any code points. The unit `binary` of `fc.string` makes a table of all of them first, which takes a second. */
export function anyText(constraints: Pick<ArrayConstraints, "maxLength"> = {}): Arbitrary<string> {
  return fc.oneof(
    fc.string(constraints),
    fc.array(codePoint, constraints).map((all) => String.fromCodePoint(...all)),
  );
}
