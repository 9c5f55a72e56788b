/**
 * The states of a company. Its code lets people join while it is live, and in grace until the grace is over. Members who have joined
 * keep their fixed terms whatever happens to the company.
 */
export type CompanyState = "setting-up" | "live" | "grace" | "stopped";

/**
 * `agreed`: the company has agreed to be collected from. `trouble`: its mandate is gone or suspended, or a debit was not paid.
 * `grace-over`: fourteen days of trouble. `recovered`: a mandate that works, and nothing unpaid.
 */
export type CompanyEvent = "agreed" | "trouble" | "grace-over" | "recovered";

/** Access starts at `agreed`, three working days before the money: a company that does not pay loses it through grace. */
const companyStates: Record<CompanyState, Partial<Record<CompanyEvent, CompanyState>>> = {
  "setting-up": { agreed: "live" },
  live: { trouble: "grace" },
  grace: { recovered: "live", "grace-over": "stopped" },
  stopped: { recovered: "live" },
};

/** The state after an event, or `undefined` when the event changes nothing. */
export function nextCompanyState(state: CompanyState, event: CompanyEvent): CompanyState | undefined {
  return companyStates[state][event];
}

export type CompanyStatus = { state: CompanyState; graceEndsAt: Date | undefined };

/** The state of a company at an instant: grace is over at its date, even if no job has run since. */
export function stateAt({ state, graceEndsAt }: CompanyStatus, now: Date): CompanyState {
  return state === "grace" && !(graceEndsAt && now < graceEndsAt) ? "stopped" : state;
}

/** What decides about a company's next state: whether it can be collected from, and the status of its debits. */
export type CompanyFacts = CompanyStatus & {
  isCollectable: boolean;
  /** A debit has failed for good, was cancelled or was charged back. */
  isUnpaid: boolean;
  /** Every debit so far was collected. */
  isPaid: boolean;
};

/** The event that the facts of this instant amount to in the company's state. */
export function findCompanyEvent(facts: CompanyFacts, now: Date): CompanyEvent | undefined {
  const { state, isCollectable, isUnpaid, isPaid } = facts;
  if (stateAt(facts, now) !== state) return "grace-over";
  if (state === "setting-up") return isCollectable ? "agreed" : undefined;
  if (state === "live") return isCollectable && !isUnpaid ? undefined : "trouble";
  return isCollectable && isPaid ? "recovered" : undefined;
}
