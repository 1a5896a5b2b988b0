import { beforeEach } from "vitest";
import { plantFor } from "../planted-delays.ts";

beforeEach(({ task }) => plantFor(`${task.file.name} ${task.fullName}`));
