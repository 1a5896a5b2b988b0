import fc from "fast-check";

// Few letters, so that patterns and texts meet; letters with odd lower cases, because folding is where indexes err.
const LETTERS = [..."abkKsSiI /.-", "\u212a", "\u017f", "\u0130", "\u0131", "ü", "😀", "Σ"];
export const text = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 12 });
export const short = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 4 });
export const plain = fc.string({ unit: fc.constantFrom(..."abksiKS"), minLength: 1, maxLength: 4 });

export const number = fc.constantFrom(-1, 0, 1, 2, 0.5, 1e21);

type Respell = (text: string) => string;

/** The same text in another case, with the letters of Unicode that fold to an ASCII one. */
export const respell = fc.constantFrom<Respell>(
  (text) => text,
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  (text) => text.replaceAll("k", "\u212a").replaceAll("s", "\u017f").replaceAll("i", "\u0131"),
);
