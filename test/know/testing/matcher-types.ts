import type { HookMatchers } from "tenterhook/testing";

declare module "vitest" {
  interface Matchers<T> extends HookMatchers<T> {}
}
