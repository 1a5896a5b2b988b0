import { placesOf } from "../shared/system/places.ts";

/** Where the system of this machine has what is the same for all its users. */
export const PLACES = placesOf(process.platform);
