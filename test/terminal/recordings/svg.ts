/** What a terminal showed at one moment, with escape codes for colours. */
export interface Shot {
  readonly screen: string;
  readonly seconds: number;
  /** True when it was taken while something moved: another run may show a little more or less. */
  readonly moves: boolean;
  /** True for the one that is shown where nothing moves. Default: the last. */
  readonly isStill: boolean;
}

const [CELL_WIDTH, CELL_HEIGHT, EDGE] = [8.4, 18, 12];

/** Classes of colours by their codes. */
const CLASSES: Readonly<Record<number, string>> = {
  1: "b",
  2: "d",
  7: "i",
  31: "r",
  32: "g",
  33: "y",
  36: "c",
  94: "l",
};

const STYLE =
  "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#d7dae0}.b{font-weight:700}.d{fill:#8b93a1}.r{fill:#ff6b6b}.g{fill:#7bd88f}.y{fill:#ffb454}.c{fill:#6fd3e0}.l{fill:#7aa2f7}.i{fill:#fff;text-decoration:underline}";

const ESCAPE = String.fromCharCode(27);
const SPLIT = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);
const CODE = new RegExp(`^${ESCAPE}\\[([\\d;]*)m$`);

interface Run {
  readonly text: string;
  readonly column: number;
  readonly names: string;
}

/** The parts of a row that look alike and have no gap, and where they begin. */
function runsOf(row: string, begin: readonly number[]): { runs: readonly Run[]; codes: readonly number[] } {
  const runs: Run[] = [];
  let codes = begin;
  let column = 0;
  for (const part of row.split(SPLIT)) {
    const [, given] = CODE.exec(part) ?? [];
    if (given !== undefined) {
      for (const code of given.split(";").map(Number)) codes = withCode(codes, code);
      continue;
    }
    const names = codes.flatMap((code) => CLASSES[code] ?? []).join(" ");
    // Fonts are wider or narrower than our cells, so what stands in a column begins there.
    for (const { 0: text, index } of part.matchAll(/\S+(?: \S+)*/g))
      runs.push({ text, column: column + index, names });
    column += part.length;
  }
  return { runs, codes };
}

function withCode(codes: readonly number[], code: number): readonly number[] {
  if (code === 0) return [];
  if (code === 39) return codes.filter((one) => one < 30);
  if (code === 22) return codes.filter((one) => one > 2);
  if (code === 27) return codes.filter((one) => one !== 7);
  return [...codes, code];
}

/** One picture, in which the shots follow each other again and again. It stands still where no CSS is played, and for those who want less motion. */
export function svgOf(shots: readonly Shot[], columns: number, rows: number): string {
  const [width, height] = [Math.round(columns * CELL_WIDTH + 2 * EDGE), rows * CELL_HEIGHT + 2 * EDGE];
  const total = shots.reduce((sum, { seconds }) => sum + seconds, 0);
  let begin = 0;
  const frames = shots.map(({ screen, seconds, moves }, at) => {
    const from = ((100 * begin) / total).toFixed(1);
    begin += seconds;
    const to = ((100 * begin) / total).toFixed(1);
    const style = `@keyframes k${at}{0%{opacity:${at === 0 ? 1 : 0}}${from}%{opacity:1}${to}%{opacity:0}}#f${at}{animation:k${at} ${total}s step-end infinite}`;
    return { style, group: `<g id="f${at}"${moves ? ' class="m"' : ""}>${rowsOf(screen)}</g>` };
  });
  const found = shots.findIndex(({ isStill }) => isStill);
  const shown = `#f${found === -1 ? shots.length - 1 : found}`;
  const still = `g{opacity:0}${shown}{opacity:1}@media(prefers-reduced-motion){g{animation:none!important}}`;
  const motion = shots.length < 2 ? "" : `${still}${frames.map(({ style }) => style).join("")}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><style>${STYLE}${motion}</style><rect width="100%" height="100%" rx="8" fill="#16181d"/>${frames.map(({ group }) => group).join("\n")}</svg>\n`;
}

function rowsOf(screen: string): string {
  // A terminal repeats no code at the beginning of a row.
  let codes: readonly number[] = [];
  return screen
    .split("\n")
    .map((row, at) => {
      const y = EDGE + (at + 1) * CELL_HEIGHT - 5;
      const found = runsOf(row, codes);
      codes = found.codes;
      const parts = found.runs.map(({ text, column, names }) => {
        const x = (EDGE + column * CELL_WIDTH).toFixed(1);
        const look = names === "" ? "" : ` class="${names}"`;
        return `<tspan x="${x}"${look}>${escaped(text)}</tspan>`;
      });
      return parts.length === 0 ? "" : `<text y="${y}">${parts.join("")}</text>`;
    })
    .filter(Boolean)
    .join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * What a picture says, without what differs from run to run: what moved, how long something took, which is not always
 * worth a word, numbers, and how far apart things are.
 */
export function wordsOf(svg: string): string {
  return svg
    .replace(/<style>.*?<\/style>/s, "")
    .replaceAll(/<g id="\w+" class="m">.*?<\/g>/gs, "")
    .replaceAll(/<\/tspan>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/[\d.,]+ (ms|min|s)\b/g, "")
    .replaceAll(/[\d.,]+/g, "0")
    .replaceAll(/[ ─]+/g, " ");
}
