import styles from "./footer.module.css";

type FooterProps = { productName: string; agency: { name: string; url: string } };

/** Credits the product and its web agency (spec, section 1). */
export function Footer({ productName, agency }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <p>© {productName}</p>
      <p>
        Made by{" "}
        <a href={agency.url} rel="noopener noreferrer" target="_blank">
          {agency.name}
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      </p>
    </footer>
  );
}
