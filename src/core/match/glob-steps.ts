/** One step of the compiled pattern: consume a character, or move on without consuming. */
export type GlobStep =
  | { readonly type: "char"; readonly code: number }
  | { readonly type: "any"; readonly slash: boolean }
  | {
      readonly type: "class";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
      readonly slash: boolean;
      readonly fold: boolean;
    }
  | { type: "split"; first: number; second: number }
  | { type: "jump"; to: number };

/** What parts the segments of a path. */
export const SLASH = 0x2f;

/** Runs all states side by side; `steps.length` is the state of a match. */
export function matchesSteps(steps: readonly GlobStep[], text: string): boolean {
  const accept = steps.length;
  let current: number[] = [];
  let next: number[] = [];
  const seen = new Int32Array(steps.length + 1).fill(-1);
  const pending: number[] = [];

  const enter = (start: number, states: number[], mark: number): void => {
    pending.push(start);
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (seen[state] === mark) continue;
      seen[state] = mark;
      const step = steps[state];
      if (step?.type === "split") pending.push(step.second, step.first);
      else if (step?.type === "jump") pending.push(step.to);
      else states.push(state);
    }
  };

  enter(0, current, 0);
  let mark = 1;
  for (let at = 0; at < text.length; mark += 1) {
    const code = text.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    next.length = 0;
    for (const state of current) {
      const step = steps[state];
      if (step !== undefined && consumes(step, code)) enter(state + 1, next, mark);
    }
    if (next.length === 0) return false;
    [current, next] = [next, current];
  }
  return current.includes(accept);
}

function consumes(step: GlobStep, code: number): boolean {
  switch (step.type) {
    case "char":
      return step.code === code;
    case "any":
      return step.slash || code !== SLASH;
    case "class":
      if (!step.slash && code === SLASH) return false;
      return (
        (inRanges(step.ranges, code) || (step.fold && inRanges(step.ranges, upperCase(code)))) !==
        step.negated
      );
    case "split":
    case "jump":
      return false;
    default:
      return step satisfies never;
  }
}

function inRanges(ranges: readonly (readonly [number, number])[], code: number): boolean {
  return ranges.some(([low, high]) => code >= low && code <= high);
}

function upperCase(code: number): number {
  return String.fromCodePoint(code).toUpperCase().codePointAt(0) ?? code;
}
