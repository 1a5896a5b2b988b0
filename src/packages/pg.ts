export { Client, Pool, types } from "pg";
