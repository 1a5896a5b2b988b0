import { randomUUID } from "node:crypto";
import type { TranscriptStore } from "../../core/contracts/transcript.ts";
import type { Check } from "./store-checks/check.ts";
import { CLAIM_CHECKS, SHARED_CLAIM_CHECKS } from "./store-checks/claims.ts";
import { FORK_CHECKS } from "./store-checks/forks.ts";
import { LIST_CHECKS } from "./store-checks/lists.ts";
import { DURABLE_CHECKS, TRANSCRIPT_CHECKS } from "./store-checks/transcripts.ts";

/**
 * Opens your store. The same name means the same place: use it for a folder, a schema or the beginning of every key. A name
 * that was not there before is an empty place.
 */
export type OpenStore = (name: string) => TranscriptStore | Promise<TranscriptStore>;

/** What a store promises. */
export interface StoreSuiteOptions {
  /** False for a store whose transcripts are gone when it is closed. Default true. */
  readonly durable?: boolean;
}

/** One promise of a transcript store, as a test. */
export interface StoreCheck {
  /** A sentence about a store. */
  readonly name: string;
  /** Rejects with an `AssertionError` when the store does something else. */
  run(): Promise<void>;
}

/**
 * What every transcript store must do, as tests for any runner. Each opens a store in a place of its own and closes it.
 *
 * @example
 * for (const { name, run } of storeSuite((name) => myStore({ prefix: name }))) test(name, run);
 */
export function storeSuite(
  open: OpenStore,
  { durable = true }: StoreSuiteOptions = {},
): readonly StoreCheck[] {
  const checks = {
    ...TRANSCRIPT_CHECKS,
    ...FORK_CHECKS,
    ...LIST_CHECKS,
    ...CLAIM_CHECKS,
    ...(durable ? { ...DURABLE_CHECKS, ...SHARED_CLAIM_CHECKS } : {}),
  };
  return Object.entries(checks).map(([name, check]) => ({ name, run: () => inPlace(open, check) }));
}

async function inPlace(open: OpenStore, check: Check): Promise<void> {
  const place = randomUUID();
  const opened: TranscriptStore[] = [];
  const again = async (): Promise<TranscriptStore> => {
    const store = await open(place);
    opened.push(store);
    return store;
  };
  try {
    await check(await again(), again);
  } finally {
    // A check may have closed it already, and what it found matters more.
    await Promise.allSettled(opened.map((store) => store.close()));
  }
}
