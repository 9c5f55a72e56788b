import { z } from "zod";

import { refusal } from "./wire-fields.ts";
import { type Call, calls, filePaths } from "./wire.ts";

/** OpenAPI 3.1, from the schemas that serve the API. */
export function describeApi({ productName, base }: { productName: string; base: string }): OpenApi {
  const described = Object.entries<Call>(calls).map(([name, call]): PathEntry => [`/${call.path}`, toPath(name, call)]);
  return {
    openapi: "3.1.0",
    info: { title: `The API of ${productName}`, version: "1.0.0" },
    servers: [{ url: base }],
    security: [{ key: [] }],
    paths: Object.fromEntries([...described, ...filePathEntries(), descriptionEntry]),
    components: {
      schemas: { Refusal: toSchema(refusal, "output") },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Api-Key" },
        member: { type: "apiKey", in: "header", name: "Authorization" },
      },
      responses: { Refusal: { description: "A sentence that says why not", ...toJson({ $ref: refusalPointer }) } },
    },
  };
}

export type OpenApi = { openapi: string; paths: Record<string, object>; [part: string]: unknown };

type PathEntry = [path: string, item: object];

const refusalPointer = "#/components/schemas/Refusal";

function toPath(name: string, call: Call): object {
  const operation = {
    operationId: name,
    summary: call.summary,
    security: toSecurity(call.needs),
    ...(call.method === "GET" ? { parameters: toParameters(call.in) } : toBody(call.in)),
    responses: { 200: { description: "Done", ...toJson(toSchema(call.out, "output")) }, default: refused },
  };
  return { [call.method.toLowerCase()]: operation };
}

const refused = { $ref: "#/components/responses/Refusal" };

function toSecurity(needs: Call["needs"]): object[] {
  return needs === "key" ? [{ key: [] }] : [{ key: [], member: [] }];
}

function toParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = toSchema(query, "input") as { properties?: object; required?: string[] };
  return Object.entries(properties).map(([name, schema]: [string, unknown]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function toBody(body: z.ZodType): object {
  return { requestBody: { required: true, ...toJson(toSchema(body, "input")) } };
}

function toJson(schema: object): object {
  return { content: { "application/json": { schema } } };
}

/** OpenAPI 3.1 takes JSON Schema as it is; only the document declares it. */
function toSchema(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
}

function filePathEntries(): PathEntry[] {
  return Object.entries(filePaths).map(([name, path]) => [
    `/${path}{name}`,
    {
      get: {
        operationId: `${name}File`,
        summary: name === "media" ? "A picture or film of an item." : "The member's own picture.",
        security: toSecurity("member"),
        parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "The file", content: { "*/*": {} } }, default: refused },
      },
    },
  ]);
}

const descriptionEntry: PathEntry = [
  "/openapi.json",
  {
    get: {
      operationId: "describeApi",
      summary: "This document.",
      responses: { 200: { description: "OpenAPI 3.1", ...toJson({ type: "object" }) }, default: refused },
    },
  },
];
