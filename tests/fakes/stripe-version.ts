/** The version that the contract beside `tests/vendors` describes and the SDK pins. */
export const API_VERSION = "2026-10-28.endive";
