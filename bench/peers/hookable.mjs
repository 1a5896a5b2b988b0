export { createHooks } from "hookable";
