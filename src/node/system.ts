import { systemOf } from "../shared/system/system.ts";

/** The system of this machine. */
export const SYSTEM = systemOf(process.platform);
