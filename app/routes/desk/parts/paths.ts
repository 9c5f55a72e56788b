import { href } from "react-router";

/** The screens about one thing. */

export function memberPath(id: number): string {
  return href("/desk/members/:id", { id: String(id) });
}

export function companyPath(id: number): string {
  return href("/desk/companies/:id", { id: String(id) });
}

export function codePath(code: string): string {
  return href("/desk/codes/:code", { code });
}

export function giftPath(id: number): string {
  return href("/desk/gifts/:id", { id: String(id) });
}

/** `key` is such as `read-1001`. */
export function previewPath(key: string): string {
  return href("/desk/content/:id", { id: key });
}
