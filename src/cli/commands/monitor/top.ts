export { top as run } from "./status.ts";
