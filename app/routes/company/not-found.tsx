import { data } from "react-router";

/** Any other address, form or not: the layout shows that there is nothing, which needs a page here. */
export function loader() {
  throw data(null, { status: 404 });
}

export { loader as action };

export default function NotFound() {
  return null;
}
