import type { CardGateway } from "../../server/payments/card-gateway.ts";

/** Stands between the app and the gateway: slow, out of reach, or losing its answers, as the test wishes. */
export type Interference = {
  wrapCards(cards: CardGateway): CardGateway;
  /** Asked before each call reaches the gateway and after it was done there: a throw is a fault, a promise is slowness. */
  meddle(how: Meddling): void;
  stop(): void;
  /** What the app has asked for, in order. */
  calls: GatewayCall[];
};

export type GatewayCall =
  | "createCustomer"
  | "startPayment"
  | "startHostedPayment"
  | "findPayment"
  | "listPaymentsOf"
  | "cancelPayment"
  | "refund"
  | "findRefund"
  | "findRefunded";

export type Moment = "before" | "after";

export type Meddling = (call: GatewayCall, moment: Moment) => unknown;

/** `breathe` is told of each moment, before the meddling. */
export function createInterference(breathe: () => void = () => undefined): Interference {
  const calls: GatewayCall[] = [];
  const leave: Meddling = () => undefined;
  let meddling = leave;

  function between<Input, Output>(name: GatewayCall, call: (input: Input) => Promise<Output>) {
    return async (input: Input): Promise<Output> => {
      calls.push(name);
      breathe();
      await meddling(name, "before");
      const answer = await call(input);
      breathe();
      await meddling(name, "after");
      return answer;
    };
  }

  return {
    calls,
    meddle: (how) => void (meddling = how),
    stop: () => void (meddling = leave),
    wrapCards: (cards) => ({
      ...cards,
      createCustomer: between("createCustomer", cards.createCustomer),
      startPayment: between("startPayment", cards.startPayment),
      startHostedPayment: between("startHostedPayment", cards.startHostedPayment),
      findPayment: between("findPayment", cards.findPayment),
      listPaymentsOf: between("listPaymentsOf", cards.listPaymentsOf),
      cancelPayment: between("cancelPayment", cards.cancelPayment),
      refund: between("refund", cards.refund),
      findRefund: between("findRefund", cards.findRefund),
      findRefunded: between("findRefunded", cards.findRefunded),
    }),
  };
}

/** Throws at one moment of one call, every time or only the first times. */
export function failing(call: GatewayCall, moment: Moment, times = Number.POSITIVE_INFINITY): Meddling {
  let left = times;
  return (name, now) => {
    if (name !== call || now !== moment || left <= 0) return;
    left -= 1;
    throw new Error(`The gateway gives no answer (${moment} ${call})`);
  };
}

/** A gate at one moment of one call: `arrived` once somebody stands before it. */
export function createGate(call: GatewayCall, moment: Moment) {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const meddling: Meddling = (name, now) => {
    if (name !== call || now !== moment) return;
    arrival.resolve();
    return opening.promise;
  };
  return { meddling, arrived: arrival.promise, open: () => opening.resolve() };
}
