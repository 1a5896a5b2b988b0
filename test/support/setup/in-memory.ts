// The temporary folder of tests that start no process. It comes before the other setup files, which make folders there.
import { inject } from "vitest";

process.env.TMPDIR = inject("unitFolder");
