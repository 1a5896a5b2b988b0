/** `undefined` when this process was started in a folder that was deleted. */
export function ownFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
