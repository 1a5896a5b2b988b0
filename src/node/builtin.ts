/**
 * Node's own modules, loaded on first use, for files that the root export loads. Importing one costs a millisecond at
 * start-up even when it is never used.
 */
export const builtin = {
  get childProcess() {
    return process.getBuiltinModule("node:child_process");
  },
  get crypto() {
    return process.getBuiltinModule("node:crypto");
  },
  get fs() {
    return process.getBuiltinModule("node:fs");
  },
  get http() {
    return process.getBuiltinModule("node:http");
  },
  get https() {
    return process.getBuiltinModule("node:https");
  },
  get module() {
    return process.getBuiltinModule("node:module");
  },
  get os() {
    return process.getBuiltinModule("node:os");
  },
  get path() {
    return process.getBuiltinModule("node:path");
  },
  get zlib() {
    return process.getBuiltinModule("node:zlib");
  },
};
