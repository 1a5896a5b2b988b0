/**
 * Node's own modules for the files that the root export loads. Importing one costs a program a millisecond at its
 * start whether or not it is ever used; this costs nothing before the first use.
 */
export const builtin = {
  get crypto() {
    return process.getBuiltinModule("node:crypto");
  },
  get fs() {
    return process.getBuiltinModule("node:fs");
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
};
