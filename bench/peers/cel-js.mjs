export { parse } from "@marcbachmann/cel-js";
