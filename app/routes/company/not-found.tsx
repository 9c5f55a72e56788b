import { data } from "react-router";

/** Any other address of a company's page: its layout shows that there is nothing, which needs a page here. A form that is sent to one gets the same. */
export function loader() {
  throw data(null, { status: 404 });
}

export { loader as action };

export default function NotFound() {
  return null;
}
