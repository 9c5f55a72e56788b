import { data } from "react-router";

import { Problem, problemOf } from "../ui/problem.tsx";

/** Any other address. Forms sent to one are told the same. */
export function loader() {
  return data(null, { status: 404 });
}

export function action() {
  return loader();
}

export default function NotFound() {
  return <Problem {...problemOf(404)} />;
}
