import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

import { type CallName, calls, filePaths } from "../../server/provider/wire.ts";
import { API_KEY, openApi, type Parsed } from "../helpers/api-client.ts";

const headers = { "X-Api-Key": API_KEY };

/** The calls of existing clients, written by hand. */
const promised = [
  "GET /users/fetchCustomers",
  "POST /email/sendemail",
  "GET /subscription/getsubscriptionstatus",
  "POST /subscription/managesubscriptionstatus",
  "PATCH /subscription/activatesubscription",
  "POST /users/createUser",
  "GET /users/grabuserid",
  "POST /users/getcurrentuser",
  "POST /users/usersignup",
  "POST /users/login",
  "POST /users/grabtoken",
  "POST /subscription/checkcouponvalidity",
  "POST /subscription/checkcouponproducts",
  "PATCH /users/patchuser",
  "GET /media/getwatches",
  "GET /media/getreads",
  "GET /media/getlearns",
  "GET /media/getallfaves",
  "POST /media/postfave",
  "POST /subscription/sendcombined",
  "POST /stripe/createpaymentintent",
  "POST /stripe/createbillingrequest",
  "POST /stripe/createpaymentmethod",
  "POST /stripe/createstripecustomer",
  "POST /bdpwr/v1/reset-password",
  "POST /bdpwr/v1/validate-code",
  "POST /bdpwr/v1/set-password",
];
const beside = ["GET /openapi.json", ...Object.values(filePaths).map((path) => `GET /${path}{name}`)];

type Operation = {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: Body;
  responses: Record<string, Body>;
};
type Body = { description?: string; $ref?: string; content?: Record<string, { schema?: object }> };

async function readDescription() {
  await using client = await openApi();
  const { status, json } = await client.request("/api/openapi.json", { headers });
  expect(status).toBe(200);
  return json as {
    openapi: string;
    info: object;
    paths: Record<string, Record<string, Operation>>;
    servers: object[];
    components: { securitySchemes: Record<string, { type: string; in: string; name: string }> };
  };
}

test("the description has every call of existing clients and our additions, and nothing else", async () => {
  const { paths } = await readDescription();
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual([...promised, ...beside].toSorted());
});

test("every described call is served", async () => {
  await using client = await openApi();
  for (const line of [...promised, ...beside]) {
    const [method = "", path = ""] = line.split(" ");
    const { status, json } = await client.request(`/api${path.replace("{name}", "x")}`, { method, headers });
    expect(json?.data?.message, line).not.toBe("There is no such call.");
    expect([200, 400, 401], line).toContain(status);
  }
});

test("the description is OpenAPI 3.1.1 (sections 4.8.1 to 4.8.17): its parts, its references and its schemas", async () => {
  const description = await readDescription();
  expect(description.openapi).toMatch(/^3\.1\.\d$/);
  expect(description.servers).toEqual([{ url: "http://dormouse.test/api" }]);
  expect(description.info).toEqual({ title: expect.any(String), version: expect.any(String) });
  const ajv = new Ajv2020({ strict: false, logger: false });
  const ids = Object.values(description.paths).flatMap((item) => Object.values(item).map((each) => each.operationId));
  expect(new Set(ids).size).toBe(ids.length);
  for (const scheme of Object.values(description.components.securitySchemes)) {
    expect(scheme).toMatchObject({ type: "apiKey", in: expect.stringMatching(/^(?:query|header|cookie)$/) });
  }
  for (const operation of Object.values(description.paths).flatMap((item) => Object.values(item))) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    for (const parameter of parameters) {
      expect(["query", "path", "header"], operationId).toContain(parameter.in);
      if (parameter.in === "path") expect(parameter.required, operationId).toBe(true);
    }
    for (const [status, response] of Object.entries(responses)) {
      expect(status, operationId).toMatch(/^(?:[1-5](?:\d\d|XX)|default)$/);
      expect(response.description ?? response.$ref, operationId).toBeDefined();
    }
    const bodies = [requestBody, ...Object.values(responses)];
    const schemas = bodies.flatMap((body) => Object.values(body?.content ?? {}).map(({ schema }) => schema ?? {}));
    for (const schema of [...schemas, ...parameters.map((each) => each.schema)]) {
      expect(ajv.validateSchema(schema), operationId).toBe(true);
    }
  }
  for (const [, pointer = ""] of JSON.stringify(description).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer.split("/").reduce<Parsed>((part, name) => part?.[name], description);
    expect(found, pointer).toBeDefined();
  }
});

test("every call says what it takes, what it answers and what it needs", () => {
  for (const [name, call] of Object.entries(calls) as [CallName, (typeof calls)[CallName]][]) {
    expect(call.summary, name).toMatch(/^[A-Z].*\.$/);
    expect(call.path, name).not.toMatch(/^\/|\/$/);
  }
});
