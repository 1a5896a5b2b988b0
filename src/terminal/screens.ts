/** The screens of the command line. Commands load this file only when they show one: it brings Ink along. */
export { showTop } from "./top/show-top.tsx";
