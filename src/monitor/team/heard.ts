/** When other machines were last heard, by their names. */
export interface HeardMachines {
  /** @param at in milliseconds since 1970; default: now. */
  hear(machine: string, at?: number): void;
  /** When that was last; since this daemon runs for one that was not heard yet. */
  heardAt(machine: string): number;
}

export function heardMachines(now: () => number = Date.now): HeardMachines {
  const since = now();
  const heard = new Map<string, number>();
  return {
    hear(machine, at = now()) {
      heard.set(machine, Math.max(at, heard.get(machine) ?? 0));
    },
    heardAt: (machine) => heard.get(machine) ?? since,
  };
}
