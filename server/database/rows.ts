import { CamelCasePlugin } from "kysely";

/** Columns are `snake_case` in the database and `camelCase` in code. The keys of JSON within a row are left as they are. */
export const rowPlugin = new CamelCasePlugin({ maintainNestedObjectKeys: true });
