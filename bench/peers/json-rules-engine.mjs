export { Engine } from "json-rules-engine";
