import { expect, test } from "vitest";

import { presign } from "./presign.ts";

const published = {
  accessKeyId: ["AKIA", "IOSFODNN7EXAMPLE"].join(""),
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

/** The first is Amazon's example for query parameters; botocore 1.43.107 signed the others (`S3SigV4QueryAuth`). */
test.each([
  {
    address: "https://examplebucket.s3.amazonaws.com/test.txt",
    signing: {
      method: "GET" as const,
      at: new Date("2013-05-24T00:00:00Z"),
      forSeconds: 86_400,
      key: { ...published, region: "us-east-1" },
    },
    signed: `https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${published.accessKeyId}%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
  },
  {
    address: "http://127.0.0.1:9000/media/rain-on-a-window.mp4",
    signing: {
      method: "PUT" as const,
      at: new Date("2026-11-27T03:15:00.999Z"),
      forSeconds: 3600,
      key: { ...published, region: "eu-west-2" },
    },
    signed: `http://127.0.0.1:9000/media/rain-on-a-window.mp4?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${published.accessKeyId}%2F20261127%2Feu-west-2%2Fs3%2Faws4_request&X-Amz-Date=20261127T031500Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=0d0e13ff64ef771bdd23bf62cc3ae735ac66949425d10970e031254659093245`,
  },
  {
    address: "https://store.example/a~b/c d(1)!.webp",
    signing: {
      method: "HEAD" as const,
      at: new Date("2026-12-31T23:59:59Z"),
      forSeconds: 604_800,
      key: {
        accessKeyId: "GK31c2f218a2e44f485b94239e",
        secretAccessKey: `${published.secretAccessKey}=+&`,
        region: "garage",
      },
    },
    signed:
      "https://store.example/a~b/c%20d%281%29%21.webp?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=GK31c2f218a2e44f485b94239e%2F20261231%2Fgarage%2Fs3%2Faws4_request&X-Amz-Date=20261231T235959Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Signature=d8e01fa416a395b2a66ec1713ac1872deb3ff3502a949a49ba76421e1a4eb12e",
  },
])("$signing.method $address is signed as Amazon does it", ({ address, signing, signed }) => {
  expect(presign(address, signing)).toBe(signed);
});
