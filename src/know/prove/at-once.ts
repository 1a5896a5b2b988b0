/** Does some jobs at once. When one fails, those under way end before the failure is told, and no other begins. */
export async function atOnce<Result>(
  most: number,
  jobs: readonly (() => Promise<Result>)[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = [...jobs.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, job] = next;
      try {
        results[at] = await job();
      } catch (error) {
        left.length = 0;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: most }, work);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return results;
}
