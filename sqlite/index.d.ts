export { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
