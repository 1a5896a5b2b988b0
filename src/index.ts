export { TenterhookError } from "./core/errors.ts";
