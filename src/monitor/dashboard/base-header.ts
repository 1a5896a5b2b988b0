/** A header by which the handler of `tenterhook/dashboard` says where it is mounted. */
export const BASE_HEADER = "x-tenterhook-base";
