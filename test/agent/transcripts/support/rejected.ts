import { isTenterhookError } from "tenterhook";

/** The code and message a promise rejects with. */
export async function rejected(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    if (isTenterhookError(error)) return [error.code, error.message];
    throw error;
  }
  return undefined;
}
