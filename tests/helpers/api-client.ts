import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { type CallName, calls } from "../../server/provider/wire.ts";
import { openSite, type Site, type SiteOptions, withoutContent } from "./site.ts";

export const API_KEY = "canary-key-3f9a1c77d2";

/** Another server with the key. */
export type ApiClient = {
  site: Site;
  /** A GET's input becomes its query. */
  call(name: CallName, input?: object, options?: CallOptions): Promise<ApiReply>;
  request(path: string, init?: RequestInit): Promise<ApiReply>;
  /** As a member gets one. */
  grabToken(email: string, password?: string): Promise<string>;
  findId(email: string): Promise<number>;
};

export type CallOptions = { token?: string; headers?: Record<string, string>; key?: string | null; slash?: boolean };

/** `json`: `undefined` where the body is no JSON. */
export type ApiReply = { status: number; headers: Headers; text: string; json: Parsed };

/** Any shape: tests name what they look for. */
export type Parsed = ReturnType<typeof JSON.parse>;

/** Without content by default. */
export async function openApi(env: Record<string, string> = {}, options: SiteOptions = withoutContent) {
  const site = await openSite({ API_KEY, ...env }, options);
  return Object.assign(createApiClient(site), { [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() });
}

export function createApiClient(site: Site): ApiClient {
  const browser = site.openBrowser();

  async function request(path: string, init: RequestInit = {}): Promise<ApiReply> {
    const { status, headers, text } = await browser.request(path, init);
    const isJson = headers.get("Content-Type")?.startsWith("application/json");
    return { status, headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  const self: ApiClient = {
    site,
    request,

    call(name, input = {}, { token, headers = {}, key = API_KEY, slash = false } = {}) {
      const { method, path } = calls[name];
      const query = method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
      return request(`/api/${path}${slash ? "/" : ""}${query}`, {
        method,
        headers: {
          ...(key !== null && { "X-Api-Key": key }),
          ...(token !== undefined && { Authorization: token }),
          ...(method !== "GET" && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(method !== "GET" && { body: JSON.stringify(input) }),
      });
    },

    async grabToken(email, password = DEMO_PASSWORD) {
      const { json } = await self.call("grabtoken", { email, password });
      return (json as { jwt_token: string }).jwt_token;
    },

    async findId(email) {
      return ((await self.call("grabuserid", { email })).json as { id: number }).id;
    },
  };
  return self;
}
