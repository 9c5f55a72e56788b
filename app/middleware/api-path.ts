/** Whether a path, without the base, is of the API for other servers: cookies mean nothing there, the key and tokens do. */
export function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}
