/**
 * How a part of the house that others run answers when it is asked for real: what stands there, or what is wrong and what to do
 * about it, in one line. It never names a secret.
 */
export type PartCheck = { isWell: boolean; says: string };
