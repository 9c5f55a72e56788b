import { type MiddlewareFunction, redirectDocument } from "react-router";

import { isDataRequest } from "../../forms/answer.ts";
import { href, toPath } from "../../frame/paths.ts";

/** Quiet pages are documents without the framework's script: a page that runs it loads them whole. */
const documentMiddleware: MiddlewareFunction<Response> = ({ request, url }, next) =>
  isDataRequest(request) && request.method !== "POST" ? redirectDocument(href(toPath(url))) : next();

export const middleware = [documentMiddleware];
