// Writes the fields and examples of every call into docs/api.md: npm run docs
import { readFileSync, writeFileSync } from "node:fs";

import { writeReference } from "../server/provider/api-reference.ts";

const MARK = "<!-- reference -->";
const path = new URL("../docs/api.md", import.meta.url);
const [before] = readFileSync(path, "utf8").split(MARK);
writeFileSync(path, `${before}${MARK}\n\n${writeReference()}`);
