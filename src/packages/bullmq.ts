export {
  createRedisBackend,
  DelayedError,
  PostgresConnection,
  PostgresQueueBackend,
  Queue,
  runMigrations,
  Worker,
} from "bullmq";
