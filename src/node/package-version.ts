/**
 * The version of this package; a test compares it with the manifest. Reading the manifest fails in other people's
 * bundles.
 */
export const PACKAGE_VERSION = "0.1.0";
