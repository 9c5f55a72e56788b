import { Form, href } from "react-router";

import buttons from "../../components/button.module.css";
import styles from "./desk.module.css";

export function MemberSearch({ term = "" }: { term?: string }) {
  return (
    <Form action={href("/desk/members")} role="search" className={styles.search}>
      <div className={styles.field}>
        <label htmlFor="find-member">Part of a name or email, a receipt number, or a company</label>
        <input id="find-member" type="search" name="q" key={term} defaultValue={term} maxLength={254} />
      </div>
      <button className={buttons.button}>Find</button>
    </Form>
  );
}
