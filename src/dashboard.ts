/** The dashboard of the monitor, for a server of your own. */

export {
  type DashboardHandler,
  type DashboardHandlerOptions,
  dashboardHandler,
} from "./monitor/dashboard/handler.ts";
