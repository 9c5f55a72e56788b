import type { Member } from "../../../server/accounts/accounts.ts";
import type { ServedApi } from "../../../server/provider-api/served.ts";
import type { calls, CallAnswer, CallInput, CallName } from "../../../server/provider-api/wire.ts";
import type { Rooms } from "../../../server/rooms.ts";
import type { ApiAnswer } from "./answers.ts";

/** A request of a server that has the key. `address` is the person's, as that server tells it. */
export type Visit = { rooms: Rooms; api: ServedApi; request: Request; url: URL; site: string; address: string };

/** The member whose token came along. */
export type Asker = { member: Member; token: string };

/** What a call is told: its input, and who it is for where it is for somebody. */
export type Asked<Name extends CallName> = Visit & {
  input: CallInput<Name>;
} & ((typeof calls)[Name]["needs"] extends "key" ? unknown : Asker);

export type Handler<Name extends CallName> = (asked: Asked<Name>) => Promise<ApiAnswer<CallAnswer<Name>>>;

export type Handlers = { [Name in CallName]: Handler<Name> };
